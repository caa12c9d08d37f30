#!/usr/bin/env python3
"""Every row of a Core Data SQLite store as JSON, read with sqlite3 alone: what the tests compare the object graph with.

usage: store-rows.py STORE [--model CONTENTS] [--raw]

The model is the `contents` XML given, else the one the store keeps. --raw prints columns as they are, by table.
Values: i<integer>, r<bits of the double>, t<text>, b<hex>, d<decimal>, f<file name>; references are Entity/key. The names of
tables and columns are worked out here anew from what is known of the format, not taken from the library under test.
"""
import json, plistlib, re, sqlite3, struct, sys, zlib
import xml.etree.ElementTree as XML
from decimal import Decimal

TYPES = {"Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500, "Float": 600, "String": 700,
         "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100, "URI": 1200, "Transformable": 1800}


class Model:
    def __init__(self):
        self.entities = {}  # name -> {"super", "attributes": {}, "relationships": {}}

    @staticmethod
    def from_xml(path):
        model = Model()
        for e in XML.parse(path).getroot().findall("entity"):
            entity = {"super": e.get("parentEntity"), "attributes": {}, "relationships": {}}
            for a in e.findall("attribute"):
                if a.get("transient") == "YES":
                    continue
                entity["attributes"][a.get("name")] = (TYPES[a.get("attributeType")], a.get("allowsExternalBinaryDataStorage") == "YES")
            for r in e.findall("relationship"):
                if r.get("transient") == "YES":
                    continue
                many = r.get("toMany") == "YES"
                entity["relationships"][r.get("name")] = (r.get("destinationEntity"), r.get("inverseName"), many, r.get("ordered") == "YES")
            model.entities[e.get("name")] = entity
        return model

    @staticmethod
    def from_archive(data):
        objects = plistlib.loads(data)["$objects"]

        def at(value):
            while isinstance(value, plistlib.UID):
                value = objects[value.data]
            return None if value == "$null" else value

        def pairs(table):
            table = at(table)
            if "searchMapping" in table:
                keys, values = at(at(at(table["searchMapping"])["keys"]))["NS.objects"], at(table["values"])["NS.objects"]
            else:
                keys, values = table["NS.keys"], table["NS.objects"]
            return [(at(k), at(v)) for k, v in zip(keys, values)]

        model = Model()
        root = objects[1]
        found = [e for _, e in pairs(root["NSEntities"])]
        names = {}
        for e in found:
            parent = at(e.get("NSSuperentity"))
            names[at(e["NSEntityName"])] = (at(parent["NSEntityName"]) if parent else None, dict(pairs(e["NSProperties"])))
        for name, (parent, properties) in names.items():
            inherited, up = set(), parent
            while up:
                inherited |= set(names[up][1])
                up = names[up][0]
            entity = {"super": parent, "attributes": {}, "relationships": {}}
            for key, p in properties.items():
                kind = at(p["$class"])["$classname"]
                if key in inherited or at(p.get("NSIsTransient")) or kind in ("_NSPropertyDescriptionProxy", "NSFetchedPropertyDescription"):
                    continue
                if kind == "NSRelationshipDescription":
                    inverse = at(p.get("_NSInverseRelationshipName"))
                    entity["relationships"][key] = (
                        at(p["_NSDestinationEntityName"]), inverse, at(p.get("NSMaxCount")) != 1, bool(at(p.get("NSIsOrdered"))))
                elif at(p.get("NSAttributeType")):
                    entity["attributes"][key] = (at(p["NSAttributeType"]), bool((at(p.get("NSFlagsKey")) or 0) & 4))
            model.entities[name] = entity
        return model

    def ancestors(self, name):
        while name:
            yield name
            name = self.entities[name]["super"]

    def root(self, name):
        return list(self.ancestors(name))[-1]

    def find(self, entity, relationship):
        """The entity that declares a relationship an entity has."""
        for name in self.ancestors(entity):
            if relationship in self.entities[name]["relationships"]:
                return name
        for name in self.entities:  # declared on a subentity
            if entity in list(self.ancestors(name)) and relationship in self.entities[name]["relationships"]:
                return name


def real(value):
    return "r" + struct.pack(">d", float(value)).hex()


def plain(value):
    if value is None:
        return None
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return real(value)
    return "t" + value if isinstance(value, str) else "b" + value.hex()


def typed(value, kind, external):
    if value is None:
        return None
    if kind in (100, 200, 300, 800):
        return f"i{int(value)}"
    if kind == 600:
        return real(struct.unpack("f", struct.pack("f", value))[0])
    if kind in (500, 900):
        return real(value)
    if kind == 400:
        text = value if isinstance(value, str) else "%.15g" % value
        if text == "NaN":
            return "dNaN"
        text = format(Decimal(text), "f")
        return "d" + (text.rstrip("0").rstrip(".") if "." in text else text)
    if kind in (700, 1200):
        return "t" + str(value)
    if external and value[:1] == b"\1":
        return "b" + value[1:].hex()
    if external and value[:1] == b"\2":
        return "f" + value[1:37].decode()
    return "b" + (value if isinstance(value, bytes) else str(value).encode()).hex()


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.numbers = {n: i for i, n in self.db.execute("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") if i < 16000}
        self.names = {i: n for n, i in self.numbers.items()}
        self.tables = {t: [c[1] for c in self.db.execute(f'PRAGMA table_info("{t}")')]
                       for (t,) in self.db.execute("SELECT name FROM sqlite_master WHERE type='table' AND name LIKE 'Z%'")}

    def settle(self, model):
        """Gives entities a migration renamed in place the numbers their old names have."""
        planned = {}

        def visit(name):
            planned[name] = len(planned) + 1
            for child in sorted((e for e, v in model.entities.items() if v["super"] == name), key=str.lower):
                visit(child)

        for root in sorted((e for e, v in model.entities.items() if v["super"] is None), key=str.lower):
            visit(root)
        for name, number in planned.items():
            if name not in self.numbers and self.names.get(number) not in model.entities and number in self.names:
                self.numbers[name] = number
                self.names[number] = name

    def model(self):
        if "Z_MODELCACHE" not in self.tables:
            return None
        row = self.db.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
        return Model.from_archive(zlib.decompress(row[0], -15)) if row and row[0] else None

    def raw(self):
        result = {}
        for table, columns in self.tables.items():
            if "Z_PK" in columns:
                rows = self.db.execute(f'SELECT * FROM "{table}"')
                result[table] = {str(r[0]): {c: plain(v) for c, v in zip(columns, r)} for r in rows}
        return result

    # names of columns

    def columns(self, model):
        result = {}
        for root in model.entities:
            if model.entities[root]["super"] is None and root in self.numbers:
                taken = {"Z_PK", "Z_ENT", "Z_OPT"}
                family = sorted((e for e in model.entities if model.root(e) == root), key=lambda e: self.numbers[e])
                for entity in family:
                    own = model.entities[entity]
                    names = sorted(own["attributes"], key=str.lower) + sorted(
                        (r for r, v in own["relationships"].items() if not v[2]), key=str.lower)
                    for name in names:
                        base = column = "Z" + name.upper()
                        suffix = 0
                        while column in taken:
                            suffix += 1
                            column = base + str(suffix)
                        taken.add(column)
                        result[entity, name] = column
        return result

    def join(self, model, owner, name, inverse_owner, inverse):
        """Table, column of owners, column of members, column of order."""
        a, b = self.numbers[owner], self.numbers[inverse_owner]
        up, down = name.upper(), inverse.upper()
        if (owner, name) == (inverse_owner, inverse):
            t = f"Z_{a}{up}"
            return t, "REFLEXIVE", t, None
        for table in (f"Z_{a}{up}", f"Z_{b}{down}"):
            columns = self.tables.get(table, [])
            mine = [c for c in columns if re.fullmatch(rf"Z_{a}{re.escape(down)}\d*", c)]
            theirs = [c for c in columns if re.fullmatch(rf"Z_{b}{re.escape(up)}\d*", c) and c not in mine[:1]]
            if mine and theirs:
                order = "Z_FOK_" + theirs[0][2:]
                return table, mine[0], theirs[0], order if order in columns else None
        raise SystemExit(f"no join table for {owner}.{name}")

    def rows(self, model):
        columns = self.columns(model)
        concrete = {}
        for root in {model.root(e) for e in model.entities if e in self.numbers}:
            family = {e for e in model.entities if model.root(e) == root}
            for pk, number in self.db.execute(f"SELECT Z_PK, Z_ENT FROM Z{root.upper()}"):
                name = self.names.get(number)
                concrete[root, pk] = name if len(family) > 1 else root

        def reference(entity, pk):
            return f"{concrete.get((model.root(entity), pk), entity)}/{pk}"

        result = {}
        for entity in model.entities:
            if entity not in self.numbers:
                continue
            root = model.root(entity)
            table = "Z" + root.upper()
            for cursor in [self.db.execute(f"SELECT * FROM {table}")]:
                names = [d[0] for d in cursor.description]
                for row in cursor:
                    values = dict(zip(names, row))
                    if concrete[root, values["Z_PK"]] != entity:
                        continue
                    shown = result.setdefault(entity, {}).setdefault(str(values["Z_PK"]), {})
                    for up in model.ancestors(entity):
                        for name, (kind, external) in model.entities[up]["attributes"].items():
                            shown[name] = typed(values[columns[up, name]], kind, external)
                        for name, (destination, inverse, many, ordered) in model.entities[up]["relationships"].items():
                            if not many:
                                key = values[columns[up, name]]
                                shown[name] = reference(destination, key) if key else None
                            else:
                                shown[name] = self.members(model, columns, up, name, values["Z_PK"], reference)
        return result

    def members(self, model, columns, owner, name, pk, reference):
        destination, inverse, _, ordered = model.entities[owner]["relationships"][name]
        table = "Z" + model.root(destination).upper()
        if inverse is None:
            key = f"Z{self.numbers[owner]}{name.upper()}"
            order = f"Z_FOK_{key[1:]}"
        else:
            other = model.find(destination, inverse)
            if model.entities[other]["relationships"][inverse][2]:
                table, mine, theirs, order = self.join(model, owner, name, other, inverse)
                sort = f" ORDER BY {order}, {theirs}" if ordered and order else ""
                found = [k for (k,) in self.db.execute(f"SELECT {theirs} FROM {table} WHERE {mine} = ?{sort}", (pk,))]
                found = [reference(destination, k) for k in found]
                return found if ordered else sorted(found)
            key = columns[other, inverse]
            order = f"Z_FOK_{key[1:]}"
        sort = f" ORDER BY {order}, Z_PK" if ordered and order in self.tables[table] else " ORDER BY Z_PK"
        found = [reference(destination, k) for (k,) in self.db.execute(f"SELECT Z_PK FROM {table} WHERE {key} = ?{sort}", (pk,))]
        return found if ordered else sorted(found)


def main():
    arguments = sys.argv[1:]
    raw = "--raw" in arguments
    arguments = [a for a in arguments if a != "--raw"]
    path = None
    if "--model" in arguments:
        at = arguments.index("--model")
        path = arguments[at + 1]
        del arguments[at:at + 2]
    store = Store(arguments[0])
    if raw:
        result = store.raw()
    else:
        model = Model.from_xml(path) if path else store.model()
        if model is None:
            raise SystemExit("the store keeps no model: name one with --model, or say --raw")
        store.settle(model)
        result = store.rows(model)
    json.dump(result, sys.stdout, ensure_ascii=True, sort_keys=True)


if __name__ == "__main__":
    main()
