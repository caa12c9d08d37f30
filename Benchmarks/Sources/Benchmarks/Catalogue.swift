/// Every workload, in the table's order.
enum Catalogue {
    static func make() -> [any Workload] {
        [
            FetchWorkload("fetch, every value read", reads: true, goal: .ratio(1.25)),
            FetchWorkload("fetch as faults", reads: false, goal: .ratio(1.1)),
            FetchWorkload("memory of fetched objects", reads: false, goal: .memory(1.5)),
            FilteredWorkload(),
            CountWorkload(),
            InsertWorkload<Entry>("insert, three indexes", .entries, goal: .ratio(1.1)),
            InsertWorkload<Record>("insert, no index", .records, goal: .ratio(1.4)),
            UpdateWorkload(),
            DeleteWorkload<Plain>("delete, no relationships", .plain, of: .plain, goal: .ratio(1.15)),
            DeleteWorkload<Record>("delete, nullify rule", .records, of: .ownedRecords, goal: .ratio(1.3)),
            DeleteOwnersWorkload(),
            FindOrCreateWorkload(),
            ToOneWorkload("traverse to-one, prefetched", prefetches: true, goal: .ratio(1.3)),
            ToOneWorkload("traverse to-one, one by one", prefetches: false, goal: .none),
            ToManyWorkload(),
            AggregateWorkload(groups: false),
            AggregateWorkload(groups: true),
            BatchInsertWorkload(.dictionaries, goal: .ratio(1.1)),
            BatchInsertWorkload(.objects, goal: .ratio(1.1)),
            BatchInsertWorkload(.filledDictionaries, goal: .none),
            BatchChangeWorkload(deletes: false),
            BatchChangeWorkload(deletes: true),
            RefetchWorkload(),
            WideWorkload(),
        ]
    }
}
