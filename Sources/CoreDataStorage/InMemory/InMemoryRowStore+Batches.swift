import CoreDataSchema

extension InMemoryRowStore {
    private var batch: InMemoryBatch { InMemoryBatch(schema: schema, store: number) }

    package func insertBatch(_ plan: BatchInsertPlan, from source: any BatchRowSource) throws -> BatchReceipt {
        let rows = try InMemoryBatch.rows(of: plan, from: source)
        return try transact { try batch.insert(rows, plan, into: &$0) }
    }

    package func updateBatch(_ plan: BatchUpdatePlan) throws -> BatchReceipt {
        var plan = plan
        var selection = plan.selection
        try FetchPlanCheck.check(&selection, model)
        plan.predicate = selection.predicate
        return try transact { state in try batch.update(plan, in: &state, resolver(state)) }
    }

    package func deleteBatch(_ plan: BatchDeletePlan) throws -> BatchReceipt {
        var plan = plan
        if case .fetch(var fetch) = plan.selection {
            try FetchPlanCheck.check(&fetch, model)
            plan.selection = .fetch(fetch)
        }
        return try transact { state in
            var keys: [RowKey] = []
            switch plan.selection {
            case .keys(let given): keys = given
            case .fetch(var fetch):
                fetch.result = .keys
                if case .keys(let found) = try RowFetch.answer(fetch, from: state.rows(of: fetch, schema), resolver(state)) { keys = found }
            }
            return try batch.delete(keys, plan.answer, from: &state)
        }
    }
}
