/** What the application may do with a table besides reading it; it updates these columns and no other. */
export interface Privileges {
  insert?: true
  update?: readonly string[]
  delete?: true
}

/** Grants as PostgreSQL keeps them: of the whole table, and of single columns. */
export function privilegesOf(wanted: Privileges) {
  const privileges = ['SELECT']
  if (wanted.insert) privileges.push('INSERT')
  if (wanted.delete) privileges.push('DELETE')
  return { privileges, columns: wanted.update ?? [] }
}

const APPENDED = { insert: true } as const
const READ_ONLY = {}

/**
 * Every table, and what the role of DATABASE_URL may do with it; `migration:run` grants it as the owner. No line is no right, and
 * a test fails. What only a restore or a migration may change is not here: the triggers refuse it to everybody, this to the
 * application before any trigger runs.
 *
 *     orders: { insert: true, update: ['stored_status'] }     a new order, a new status; never another total, never a DELETE
 *
 * The former release goes on with these rights until it is stopped: a right is taken away one release after its last use.
 */
export const APPLICATION_PRIVILEGES: Record<string, Privileges> = {
  // Migrations.
  adonis_schema: READ_ONLY,
  adonis_schema_versions: READ_ONLY,

  // Catalogue and seats.
  venues: APPENDED,
  halls: APPENDED,
  sectors: APPENDED,
  hall_rows: APPENDED,
  hall_seats: APPENDED,
  events: {
    insert: true,
    update: [
      'title',
      'description',
      'stored_status',
      'event_type',
      'age_rating',
      'starts_at',
      'ends_at',
      'sales_start_at',
      'max_seats_per_booking',
      'price_from_tenge',
      'cancelled_at',
      'cancellation_reason',
      'change_xid',
      'created_at',
      'updated_at',
    ],
  },
  event_keys: { insert: true, update: ['private_key_encrypted'] },
  event_prices: { insert: true, update: ['price_tenge'] },
  event_seats: {
    insert: true,
    update: ['price_tenge', 'has_own_price', 'state', 'held_by', 'hold_until'],
  },

  // Partners.
  partners: {
    insert: true,
    update: [
      'name',
      'status',
      'requests_per_minute',
      'requests_in_flight',
      'pending_orders',
      'hold_seconds',
      'payment_window_seconds',
      'allowed_addresses',
      'updated_at',
    ],
  },
  partner_keys: { insert: true, update: ['secret_encrypted', 'expires_at', 'revoked_at'] },
  event_grants: { insert: true, update: ['access', 'change_xid', 'updated_at'] },
  feed_reads: { insert: true, update: ['read_at', 'acknowledged', 'epoch', 'cursor_at'] },
  feed_gaps: APPENDED,
  partner_answers: { insert: true, update: ['count'] },

  // Sales.
  bookings: {
    insert: true,
    update: ['stored_status', 'order_id', 'customer', 'buyer_erased_at'],
  },
  booking_seats: APPENDED,
  orders: {
    insert: true,
    update: [
      'stored_status',
      'confirmed_at',
      'cancelled_at',
      'payment_amount_tenge',
      'payment_paid_at_raw',
      'payment_paid_at',
      'payment_external_id',
      'payment_currency',
      'payment_method',
      'customer',
      'buyer_erased_at',
    ],
  },
  tickets: {
    insert: true,
    update: [
      'status',
      'used_at',
      'used_gate',
      'void_cause',
      'void_reason',
      'voided_at',
      'voided_by',
    ],
  },
  confirm_attempts: {
    insert: true,
    update: [
      'amount_raw',
      'currency',
      'method',
      'http_status',
      'code',
      'order_status',
      'window_ends_at',
      'answered_at',
      'names_other_payment',
    ],
  },
  refused_refunds: APPENDED,
  cancellation_requests: { insert: true, update: ['outcome', 'ended_by', 'ended_at'] },
  ticket_openings: { insert: true, delete: true },
  ticket_scans: APPENDED,
  gate_devices: { insert: true, update: ['key_digest', 'revoked_at'] },

  // The journal: of an entry, only words about an erased buyer go.
  journal: { insert: true, update: ['change'] },
  erased_events: APPENDED,

  // Months are made and archived by functions of the owner.
  monthly_tables: READ_ONLY,
  archived_months: READ_ONLY,

  // Money.
  ledger_movements: { insert: true, update: ['statement_id', 'line'] },
  ledger_checks: { insert: true, delete: true },
  settlement_accounts: { insert: true, update: ['last_statement_id'] },
  settlement_counters: { update: ['last'] },
  settlement_terms: {
    insert: true,
    update: [
      'period',
      'commission_bp',
      'vat_bp',
      'rounding',
      'grace_minutes',
      'dispute_days',
      'silence_agrees',
      'min_payment_tenge',
      'refund_evidence_days',
      'allows_combined_payments',
      'penalty_tenge',
      'legal_name',
      'bin',
      'contract_number',
      'contract_date',
      'set_by',
      'approved_by',
      'signatory',
      'used_tickets_of_cancelled_events',
      'payment_days',
    ],
    delete: true,
  },
  settlement_statements: {
    insert: true,
    update: ['status', 'status_at', 'status_by', 'status_note'],
  },
  settlement_statement_checks: { insert: true, update: ['checked_at', 'wrong'] },
  settlement_superseded_lines: APPENDED,
  settlement_rounded_sales: APPENDED,
  settlement_memos: { insert: true, update: ['number', 'outcome', 'decided_by', 'decided_at'] },
  settlement_payments: APPENDED,
  // Written by triggers with the owner's right.
  settlement_seals: READ_ONLY,
  settlement_payment_parts: APPENDED,
  settlement_allocations: APPENDED,
  settlement_requests: { insert: true, update: ['outcome', 'decided_by', 'decided_at'] },
  settlement_single_acts: APPENDED,
  settlement_issuers: APPENDED,
  statement_mailings: APPENDED,

  // Cases.
  settlement_cases: {
    insert: true,
    update: [
      'order_ids',
      'payment_ids',
      'severity',
      'exposure_tenge',
      'exposure_party',
      'fault',
      'chain',
      'rule_set_version',
      'gone_at',
      'checked_at',
      'state',
      'owner_id',
      'due_on',
      'resolution',
      'settled_tenge',
      'settled_party',
      'settled_payment_ids',
      'is_false_positive',
      'state_at',
      'state_by',
      'version',
      'buyer_tenge',
      'platform_tenge',
      'partner_tenge',
      'settled_buyer_tenge',
      'settled_platform_tenge',
      'settled_partner_tenge',
      'merged_into',
      'balance',
    ],
  },
  settlement_defects: {
    insert: true,
    update: [
      'subclass',
      'is_recovered',
      'severity',
      'payment_id',
      'is_strict_breach',
      'exposure_tenge',
      'exposure_party',
      'fault',
      'deviation_ms',
      'hint',
      'evidence',
      'found_at',
      'gone_at',
      'probable_tenge',
    ],
  },
  settlement_case_notes: { insert: true, update: ['text'] },
  settlement_answers: APPENDED,
  settlement_rule_sets: APPENDED,
  settlement_partner_days: { insert: true, update: ['tally'] },
  settlement_partner_findings: {
    insert: true,
    update: [
      'value',
      'sample',
      'lower_bound',
      'own_median',
      'all_median',
      'verdict',
      'rule_set_version',
      'checked_at',
    ],
  },

  // Registers; a register itself, and what it was uploaded as, stay.
  register_sources: {
    insert: true,
    update: [
      'name',
      'row_is',
      'covers_sales',
      'covers_refunds',
      'words',
      'version',
      'rows_show',
      'amounts_are',
      'unit',
      'is_set_up',
      'utc_offset_minutes',
      'day_start_minutes',
      'payment_ids_are',
      'fee_rules',
      'judged_as',
    ],
  },
  partner_registers: {
    insert: true,
    update: [
      'state',
      'period_from',
      'period_to',
      'sheet',
      'preview',
      'mapping',
      'control',
      'problem',
      'totals',
      'fee_rules',
      'read_at',
      'matched_at',
      'decided_by',
      'decided_at',
      'version',
      'source_id',
      'replaced_by',
      'waiver',
      'filled_sheets',
      'lines_given',
      'day_shift_minutes',
      'covers_sales',
      'covers_refunds',
      'buyers_erased_at',
    ],
  },
  partner_register_habits: { insert: true, update: ['mapping', 'fee_rules'] },
  partner_register_parts: { insert: true, update: ['first_line'], delete: true },
  partner_register_left_out_sheets: { insert: true, delete: true },
  partner_register_rows: { insert: true, update: ['raw', 'email'], delete: true },
  partner_register_cases: {
    insert: true,
    update: [
      'why',
      'decision',
      'decided_by',
      'decided_at',
      'owner_id',
      'due_on',
      'note',
      'version',
    ],
    delete: true,
  },
  partner_register_case_rows: { insert: true, delete: true },
  partner_register_case_orders: { insert: true, delete: true },
  partner_register_evidence: { insert: true, delete: true },
  partner_register_evidence_keys: { insert: true, delete: true },
  partner_register_kept_evidence: {
    insert: true,
    update: ['cases', 'charges_with_id', 'charges_with_id_of_confirms', 'missing_orders'],
    delete: true,
  },
  partner_register_named_payments: { insert: true, delete: true },

  // Webhooks and mails.
  webhook_endpoints: {
    insert: true,
    update: [
      'url',
      'status',
      'disabled_cause',
      'disabled_at',
      'failing_since',
      'told_failing_at',
      'last_success_at',
      'succeeded',
      'failed',
      'paused_until',
      'round',
      'round_until',
      'updated_at',
      'failure_notified_at',
    ],
  },
  webhook_deliveries: {
    insert: true,
    update: ['status', 'attempts', 'attempts_before', 'next_at', 'locked_until', 'ended_at'],
    delete: true,
  },
  webhook_attempts: { insert: true, update: ['response'] },
  webhook_relay: { update: ['seen', 'foreign_until', 'relayed_at'] },
  restore_mark: { update: ['made_in'] },
  selling_mark: {
    update: ['made_in', 'closed_at', 'closed_because', 'restored_entry', 'epoch', 'finished_at'],
  },
  mails: {
    insert: true,
    update: [
      'subject',
      'state',
      'attempts',
      'first_tried_at',
      'next_at',
      'claim',
      'lease_until',
      'failure',
      'failure_words',
      'attached_sha256',
      'sent_at',
      'ended_at',
    ],
  },
  settlement_contacts: { insert: true, update: ['language', 'gets_statements'], delete: true },
  report_schedules: {
    insert: true,
    update: [
      'kind',
      'every',
      'day',
      'hour',
      'language',
      'recipients',
      'is_active',
      'next_at',
      'last_at',
      'last_run_id',
      'version',
    ],
    delete: true,
  },

  // Staff.
  staff: {
    insert: true,
    update: [
      'role',
      'password',
      'language',
      'password_set_at',
      'password_is_temporary',
      'totp_secret_encrypted',
      'totp_set_at',
      'totp_last_step',
      'disabled_at',
      'updated_at',
      'sign_in_slowed_until',
      'second_factor_failures',
      'second_factor_locked_at',
    ],
  },
  staff_account_changes: APPENDED,
  staff_recovery_codes: { insert: true, update: ['used_at'], delete: true },
  staff_sessions: { insert: true, update: ['address', 'last_seen_at', 'ended_at'], delete: true },
  staff_sign_in_failures: {
    insert: true,
    update: ['failures', 'unreported', 'last_at', 'reported_at', 'blocked_until'],
    delete: true,
  },
  saved_views: {
    insert: true,
    update: ['name', 'is_shared', 'filters', 'columns', 'updated_at'],
    delete: true,
  },
  default_views: { insert: true, update: ['view_id'], delete: true },

  // Background work.
  settlement_runs: {
    insert: true,
    update: [
      'state',
      'asked_before',
      'is_settled',
      'not_before',
      'started_at',
      'finished_at',
      'attempts',
      'claim',
      'lease_until',
      'progress',
      'cancel_asked_at',
      'result',
      'error',
      'kept_until',
      'saw_earlier_writes',
    ],
  },
  settlement_run_files: APPENDED,
  job_runs: {
    insert: true,
    update: ['ran_at', 'took_ms', 'succeeded_at', 'failed_at', 'failure', 'failures_in_row'],
  },
  workers: { insert: true, update: ['is_alone', 'beat_at'], delete: true },
  invariant_lease: { update: ['claim', 'lease_until'] },
  invariant_runs: {
    insert: true,
    update: [
      'state',
      'as_of',
      'ended_at',
      'took_ms',
      'rows_looked_at',
      'found',
      'counterexamples',
      'failure',
    ],
    delete: true,
  },
  invariant_states: {
    insert: true,
    update: ['red_since', 'alerted_at', 'run_asked_at', 'run_asked_by', 'unchecked_alerted_at'],
  },
  app_key_canary: { insert: true, update: ['sealed'] },
}

const BY_A_PROCESS_OF_0_2_0 =
  'written by processes of 0.2.0, during an upgrade or after a roll back; goes one release later'

/** Rights without which each statement of this release works, and why they are given all the same. A test tries every right. */
export const OTHERWISE_NEEDED: Record<string, string> = {
  'INSERT on settlement_accounts':
    'the trigger open_account inserts, with the rights of who adds a partner',
  'INSERT on settlement_payment_parts': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (exposure_tenge) on settlement_cases': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (exposure_party) on settlement_cases': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (settled_tenge) on settlement_cases': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (settled_party) on settlement_cases': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (settled_payment_ids) on settlement_cases': BY_A_PROCESS_OF_0_2_0,
  'INSERT on partner_register_habits': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (mapping) on partner_register_habits': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (fee_rules) on partner_register_habits': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (told_failing_at) on webhook_endpoints': BY_A_PROCESS_OF_0_2_0,
  'UPDATE (is_settled) on settlement_runs': BY_A_PROCESS_OF_0_2_0,
}

/** Sequences whose next number a statement asks for; an identity column draws its own without a right. The last number of each can be read. */
export const APPLICATION_SEQUENCES = [
  'order_numbers',
  'ticket_numbers',
  'settlement_statements_id_seq',
] as const

/** Functions that run with the owner's rights, and that only the application may call. */
export const APPLICATION_FUNCTIONS = [
  'analyse_tables(regclass[])',
  'advance_sequence(regclass,bigint)',
  'create_months(integer)',
  'detach_oldest_month(text,integer)',
] as const
