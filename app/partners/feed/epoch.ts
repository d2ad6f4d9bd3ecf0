/**
 * SQL: names the history that transaction ids belong to. Ids of one history mean nothing in another: after a restore or
 * a failover, or in a copy of the database, the same id is another change, or one that was undone.
 *
 *     7301….00000001.16384.742    cluster . timeline . database . restore mark
 *     7301….00000002.16384.742    the same database after a failover or a restore to a moment
 *     7301….00000001.16399.742    a copy of the database in the same cluster
 *     7301….00000001.16384.815    the same database after a dump was restored into it
 */
export const EPOCH = `concat_ws('.',
  (SELECT system_identifier FROM pg_control_system()), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  (SELECT oid FROM pg_database WHERE datname = current_database()), (SELECT xmin FROM restore_mark))`

/** SQL: whether this database was restored from a dump since the webhook relay last recorded its restore. */
export const IS_RESTORED = '(SELECT xmin <> made_in::xid FROM restore_mark)'

/** SQL: whether a row with a `change_xid` came from a dump. A row that was written here has the same id in both columns. */
export const WAS_RESTORED = '(xmin <> change_xid::xid)'
