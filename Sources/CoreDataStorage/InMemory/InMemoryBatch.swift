import CoreDataPredicate
import CoreDataSchema

/// Batches on a copy of the store's state: whoever calls puts the copy in place when nothing was thrown.
struct InMemoryBatch {
    let schema: InMemorySchema
    let store: Int32

    private var model: ResolvedModel { schema.model }

    private func make(_ key: RowKey, version: Int64, _ values: ContiguousArray<AttributeValue>) -> RowBlock {
        RowBlock.make(layout: schema.layouts[Int(key.entity)], key: key, version: version, values: values)
    }

    /// What a batch answers, as it grows.
    private struct Answer {
        let kind: BatchAnswer
        var receipt = BatchReceipt()

        init(_ kind: BatchAnswer) { self.kind = kind }

        mutating func note(_ key: RowKey) {
            receipt.count += 1
            if kind == .keys { receipt.keys.append(key) }
        }
    }

    // MARK: Insert

    /// A row of the source, kept until the state is changed.
    struct NewRow {
        let values: ContiguousArray<AttributeValue>
        let given: SlotSet
    }

    /// Takes all rows from the source: no lock is held while it runs, for it calls the application.
    static func rows(of plan: BatchInsertPlan, from source: any BatchRowSource) throws -> [NewRow] {
        let row = BatchRow(defaults: plan.defaults)
        var result: [NewRow] = []
        row.reset()
        while try source.next(row) {
            result.append(NewRow(values: row.values, given: row.given))
            row.reset()
        }
        return result
    }

    func insert(_ rows: [NewRow], _ plan: BatchInsertPlan, into state: inout InMemoryState) throws -> BatchReceipt {
        guard model.entities.indices.contains(plan.entity), !model.entities[plan.entity].isAbstract else {
            throw StoreError.invalidRequest("Rows can be inserted into concrete entities only.")
        }
        var answer = Answer(plan.answer)
        var overwritten = Set<RowKey>()
        for (index, row) in rows.enumerated() {
            let key = RowKey(primaryKey: 0, entity: Int32(plan.entity), store: store)
            let new = make(key, version: 1, row.values)
            guard let collision = collision(of: new, in: state) else {
                let permanent = RowKey(
                    primaryKey: state.reserve(1, root: schema.root(of: key)), entity: key.entity, store: store)
                state.put(make(permanent, version: 1, row.values), schema)
                answer.note(permanent)
                continue
            }
            switch plan.uniqueness {
            case .keepStored: continue
            case .fail: throw notUnique(collision.constraint, new, row: index + 1)
            case .overwrite:
                guard let stored = state.row(collision.holder, schema) else { continue }
                let changed = overwriting(stored, with: row, plan)
                if let second = self.collision(of: changed, in: state) { throw notUnique(second.constraint, changed, row: index + 1) }
                state.put(changed, schema)
                if overwritten.insert(stored.key).inserted { answer.note(stored.key) }
            }
        }
        return answer.receipt
    }

    /// The first constraint of the row whose values another row has.
    private func collision(
        of row: RowBlock, in state: InMemoryState
    ) -> (constraint: InMemorySchema.Constraint, holder: RowKey)? {
        for constraint in schema.constraints[Int(row.key.entity)] {
            guard let values = row.uniqueValues(constraint.slots), let holder = state.holders[constraint.properties]?[values],
                  holder != row.key
            else { continue }
            return (constraint, holder)
        }
        return nil
    }

    private func overwriting(_ stored: RowBlock, with row: NewRow, _ plan: BatchInsertPlan) -> RowBlock {
        var values = stored.values
        // The stored row may be of another entity that inherits the constraint.
        for property in model.entities[plan.entity].properties where property.isStored
            && model.entities[property.declaringEntity].includes(Int(stored.key.entity))
            && (plan.overwritesEverything || row.given.contains(property.slot)) {
            values[property.slot] = row.values[property.slot]
        }
        return make(stored.key, version: stored.version + 1, values)
    }

    private func notUnique(_ constraint: InMemorySchema.Constraint, _ row: RowBlock, row number: Int?) -> BatchError {
        let entity = model.entities[Int(row.key.entity)]
        return .notUnique(
            entity: entity.name, keys: constraint.slots.map { entity.properties[$0].name },
            values: constraint.slots.map { row.value($0).shortText }, row: number)
    }

    // MARK: Update

    func update(_ plan: BatchUpdatePlan, in state: inout InMemoryState, _ resolver: RowResolver) throws -> BatchReceipt {
        var changed: [RowBlock] = []
        for row in try RowFetch.matching(plan.predicate, state.rows(of: plan.selection, schema), resolver) {
            var values = row.values
            let entity = model.entities[Int(row.key.entity)]
            for assignment in plan.assignments {
                switch assignment.value {
                case .constant(let value): values[assignment.slot] = value
                case .expression(let expression):
                    let result = try RowEvaluation.value(of: expression, for: RowSubject(row, resolver))
                    values[assignment.slot] = try BatchValue.convert(result, to: entity.properties[assignment.slot], of: entity)
                }
            }
            changed.append(make(row.key, version: row.version + 1, values))
        }
        // Only the state after the whole batch counts: rows may swap unique values.
        for row in changed { state.release(row.key, schema) }
        var answer = Answer(plan.answer)
        for row in changed {
            if let collision = collision(of: row, in: state) { throw notUnique(collision.constraint, row, row: nil) }
            state.put(row, schema)
            answer.note(row.key)
        }
        return answer.receipt
    }

    // MARK: Delete

    /// `selected` are the rows asked for; rows that cascades reach are found here.
    func delete(_ selected: [RowKey], _ answer: BatchAnswer, from state: inout InMemoryState) throws -> BatchReceipt {
        var doomed: [RowKey] = [], known = Set<RowKey>()
        var rules: [Int32: [BatchDeleteRule]] = [:]
        var left: [(rule: BatchDeleteRule, entity: Int32, members: [RowKey], owner: RowKey)] = []
        func doom(_ key: RowKey) {
            guard let key = state.row(key, schema)?.key, known.insert(key).inserted else { return }
            doomed.append(key)
        }
        for key in selected { doom(key) }
        var next = 0
        while next < doomed.count {
            let key = doomed[next]
            next += 1
            let all = rules[key.entity] ?? BatchDeleteRule.rules(of: model.entities[Int(key.entity)], in: model)
            rules[key.entity] = all
            for rule in all {
                let members = state.related(to: key, through: rule.property, schema)
                if rule.cascades { for member in members { doom(member) } }
                left.append((rule, key.entity, members, key))
            }
        }
        for (rule, entity, members, owner) in left {
            for member in members where !known.contains(member) {
                if let kind = rule.mandatoryKind {
                    throw BatchError.mandatoryInverse(
                        entity: model.entities[Int(entity)].name, relationship: rule.name, kind: kind)
                }
                guard let clearing = rule.clearing, let row = state.row(member, schema), row.reference(clearing.slot) == owner
                else { continue }
                var values = row.values
                values[clearing.slot] = .null
                state.put(make(row.key, version: row.version + 1, values), schema)
            }
        }
        var result = Answer(answer)
        for key in doomed {
            state.remove(key, schema)
            result.note(key)
        }
        return result.receipt
    }
}
