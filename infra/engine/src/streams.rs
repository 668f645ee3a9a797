//! What keeps streams fast as they grow: an index on the engine's stream records, and an end to them.
//!
//! The engine finds a stream's last number at each write, and what follows a number at each read, by going through every record that
//! there ever was: at 20,000 records 11 ms a write and 14 ms a read, on a file, in a build without optimisation.

use rusqlite::Connection;

/// How many records all streams of an engine keep together. The service keeps those of a day; here the process may have been away for
/// longer than that, and what it has not consumed must still be there.
const KEPT: u32 = 100_000;

/// Makes index and end on the database of that name, which the engine has open.
pub(crate) fn tend(name: &str) -> rusqlite::Result<()> {
    let connection = Connection::open(name)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.execute_batch(&format!(
        "CREATE INDEX IF NOT EXISTS mostrador_stream_numbers ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
         CREATE TRIGGER IF NOT EXISTS mostrador_stream_end AFTER INSERT ON _stream_records
         BEGIN DELETE FROM _stream_records WHERE id <= NEW.id - {KEPT}; END;"
    ))
}

#[cfg(test)]
mod tests {
    use dynoxide::Database;

    use super::*;

    /// The engine's own statements find their rows by the index, and the oldest records go.
    #[test]
    fn records_are_found_by_their_number_and_end() {
        let name = "file:streams-test?mode=memory&cache=shared";
        let _engine = Database::new(name).unwrap();
        tend(name).unwrap();
        tend(name).unwrap();
        let connection = Connection::open(name).unwrap();
        let plan = |statement: &str| -> String {
            let explain = format!("EXPLAIN QUERY PLAN SELECT {statement}");
            connection
                .query_row(&explain, [], |row| row.get(3))
                .unwrap()
        };
        let last = plan(
            "MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 't'",
        );
        assert!(
            last.contains("mostrador_stream_numbers (table_name=?)"),
            "{last}"
        );
        let following = plan(
            "* FROM _stream_records WHERE table_name = 't' AND shard_id = 's' AND CAST(sequence_number AS INTEGER) > 7
             ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT 5",
        );
        assert!(
            following.contains("mostrador_stream_numbers (table_name=? AND <expr>>?)"),
            "{following}"
        );
        let more = KEPT + 5;
        connection
            .execute_batch(&format!(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {more})
                 INSERT INTO _stream_records (table_name, event_name, keys_json, sequence_number, shard_id, created_at)
                 SELECT 't', 'INSERT', '{{}}', i, 's', 0 FROM n"
            ))
            .unwrap();
        let (kept, oldest): (u32, u32) = connection
            .query_row("SELECT COUNT(*), MIN(id) FROM _stream_records", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        assert_eq!((kept, oldest), (KEPT, 6));
    }
}
