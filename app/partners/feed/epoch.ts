/**
 * Names the history that transaction ids belong to. Ids of one history say nothing about another: after a restore,
 * a failover or in a copy of the database the same ids stand for other changes, or for changes that were undone.
 * Cluster, timeline (restored to a moment, failed over), database (copied) and restore mark (restored from a dump).
 */
export const EPOCH = `concat_ws('.',
  (SELECT system_identifier FROM pg_control_system()), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  (SELECT oid FROM pg_database WHERE datname = current_database()), (SELECT xmin FROM restore_mark))`

/** Whether this database was restored from a dump since the relay last settled. */
export const IS_RESTORED = '(SELECT xmin <> made_in::xid FROM restore_mark)'

/** Of a row with a `change_xid`: whether a dump brought it. Whoever wrote the row itself left the same id in both. */
export const WAS_RESTORED = '(xmin <> change_xid::xid)'
