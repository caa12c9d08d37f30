#!/usr/bin/env python3
"""Generates the classes of every model version in a corpus and has the compiler check them: no error, no warning.

Types that a model only names (value classes, enumerations, handwritten classes) are declared here. Versions whose
classes have different names are checked together, as one module.

usage: corpus-classes.py CORPUS [--sample] [OPTION...]
--sample takes each bundle's current version only, one batch; options go to coredata-generate (--types xcode, --codegen category, …)
"""
import os, re, subprocess, sys, tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
build = root / ".build/debug"
OPTIONS = [a for a in sys.argv[2:] if a != "--sample"]
KNOWN = set("""Any AnyObject Array Bool Character Data Date Decimal Dictionary Double Float IndexSet Int Int16 Int32 Int64 Int8 NSArray
NSAttributedString NSData NSDate NSDecimalNumber NSDictionary NSError NSManagedObject NSManagedObjectID NSMutableArray NSMutableDictionary
NSMutableSet NSNumber NSObject NSOrderedSet NSSet NSString NSURL NSUUID Set String TimeInterval UInt UInt16 UInt32 UInt64 UInt8 URL UUID
NSManagedObjectModel IndexPath DateComponents Locale TimeZone Calendar Notification NSMutableAttributedString NSMutableOrderedSet NSRange Void Self""".split())


def versions(corpus, sample):
    for folder, folders, _ in os.walk(corpus):
        for name in sorted(folders):
            path = Path(folder) / name
            if name.endswith(".xcdatamodeld") and sample:
                yield path
            elif name.endswith(".xcdatamodel") and not sample:
                yield path
        if sample:
            folders[:] = sorted(f for f in folders if not f.endswith(".xcdatamodeld"))
        else:
            folders.sort()


def generate(path):
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([build / "coredata-generate", path, "--output", out, "--single-file", "M.swift", *OPTIONS], capture_output=True, text=True)
        if run.returncode != 0:
            return None, run.stderr.strip()
        return (Path(out) / "M.swift").read_text(), run.stderr.strip()


def stubs(text):
    """What the text names but does not declare: name -> declaration."""
    own = set(re.findall(r"^(?:public |package )?class (`?\w+`?)", text, re.M))
    extended = set(re.findall(r"^extension (`?\w+`?) \{", text, re.M)) - {"NSManagedObjectModel"}
    result = {}

    def add(name, declaration):
        if name not in own and name.strip("`") not in KNOWN and name not in result and "." not in name:
            result[name] = declaration.replace("%", name)

    managed = "public class %: NSManagedObject {}"
    for name in extended:
        add(name, managed)
    for name in re.findall(r"^(?:public |package )?class `?\w+`?: (`?\w+`?) \{", text, re.M):
        add(name, managed)
    for name in re.findall(r"_(?:toOne|toMany|ordered|fetched)\(at: \d+, as: (`?\w+`?)\.self\)", text):
        add(name, managed)
    for name in re.findall(r"_managed(?:ToOne|ToMany|Ordered|Fetched)\(\"[^\"]*\", as: (`?\w+`?)\.self\)", text):
        add(name, managed)
    for name in re.findall(r"_case\([^\n]*?, as: (`?\w+`?)\.self\)", text):
        raw = "String" if re.search(r"var \w+: %s\??[^\n]*\n[^\n]*\n[^\n]*(?:newValue\??\.rawValue, at)" % re.escape(name), text) else "Int"
        add(name, "public struct %: RawRepresentable, Sendable { public var rawValue: " + raw + "; public init(rawValue: " + raw + ") { self.rawValue = rawValue } }")
    for written in re.findall(r"(?:_object\(at: \d+|_managed\(\"[^\"]*\"), as: ([^\n]*?)\.self\)", text):
        for name in re.findall(r"`?\w+`?", written):
            add(name, "public class %: NSObject {}")
    return own, extended, result


def check(batch, number):
    with tempfile.TemporaryDirectory() as folder:
        files, declared = [], {}
        for index, (path, text) in enumerate(batch):
            file = Path(folder) / f"Model{index}.swift"
            file.write_text(text)
            files.append(file)
            declared.update(stubs(text)[2])
        own = set().union(*(stubs(text)[0] for _, text in batch))
        file = Path(folder) / "Foreign.swift"
        file.write_text("import CoreData\n\n" + "\n".join(v for k, v in sorted(declared.items()) if k not in own) + "\n")
        maps = [f for d in ("CSQLite", "CZlib", "CCrypto") for f in ("-Xcc", f"-fmodule-map-file={root}/Sources/{d}/module.modulemap")]
        run = subprocess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Corpus", "-I", build / "Modules", *maps, *files, file],
            capture_output=True, text=True)
        if run.returncode == 0:
            return []
        lines = [l for l in run.stderr.splitlines() if "error:" in l][:12]
        return lines + [f"  Model{i} is {path}" for i, (path, _) in enumerate(batch) if any(f"Model{i}.swift" in l for l in lines)]


def main():
    corpus, sample = sys.argv[1], "--sample" in sys.argv
    batches, seen, refused, count = [], set(), 0, 0
    for path in versions(corpus, sample):
        text, message = generate(path)
        count += 1
        if text is None:
            # Refused by name, with the place: nothing to compile.
            refused += 1
            print(f"refused: {message}")
            continue
        key = text.split("\n", 1)[1]
        if key in seen:
            continue
        seen.add(key)
        own, extended, foreign = stubs(text)
        own |= extended
        names = own | set(foreign)
        # A class named like a type of Foundation's would be that type to every other model of the batch.
        for batch in batches:
            if not (own & batch["names"]) and not (names & batch["own"]) and not ((own | batch["own"]) & KNOWN):
                break
        else:
            batch = {"names": set(), "own": set(), "models": []}
            batches.append(batch)
        batch["names"] |= names
        batch["own"] |= own
        batch["models"].append((path, text))
    if sample:
        batches = sorted(batches, key=lambda b: -len(b["models"]))[:1]
    failed = 0
    for number, batch in enumerate(batches):
        lines = check(batch["models"], number)
        if lines:
            failed += 1
            print("\n".join(lines))
    models = sum(len(b["models"]) for b in batches)
    print(f"{count} models, {refused} refused, {models} different ones compiled in {len(batches)} batches, {failed} batches failed")
    sys.exit(1 if failed else 0)


main()
