/** What the application may do with a table besides reading it. `update: true` is every column; a list is these columns and no other. */
export interface Privileges {
  insert?: true
  update?: true | readonly string[]
  delete?: true
}

/** Rows that come and go with daily work. */
const WORKING = { insert: true, update: true, delete: true } as const
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
      'created_at',
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
  // Written by the release before allocations, which may be put back.
  settlement_payment_parts: APPENDED,
  settlement_allocations: APPENDED,
  settlement_requests: { insert: true, update: ['outcome', 'decided_by', 'decided_at'] },
  settlement_single_acts: APPENDED,
  settlement_issuers: APPENDED,
  statement_mailings: APPENDED,

  // Cases.
  settlement_cases: WORKING,
  settlement_defects: { insert: true, update: true },
  settlement_case_notes: { insert: true, update: ['text'] },
  settlement_answers: APPENDED,
  settlement_rule_sets: APPENDED,
  settlement_partner_days: { insert: true, update: ['tally'] },
  settlement_partner_findings: { insert: true, update: true },

  // Registers; a register itself stays.
  register_sources: { insert: true, update: true },
  partner_registers: { insert: true, update: true },
  // Written by the release before sources, which may be put back.
  partner_register_habits: { insert: true, update: true },
  partner_register_parts: WORKING,
  partner_register_left_out_sheets: { insert: true, delete: true },
  partner_register_rows: WORKING,
  partner_register_cases: WORKING,
  partner_register_case_rows: { insert: true, delete: true },
  partner_register_case_orders: { insert: true, delete: true },
  partner_register_evidence: { insert: true, delete: true },
  partner_register_evidence_keys: { insert: true, delete: true },
  partner_register_kept_evidence: WORKING,
  partner_register_named_payments: { insert: true, delete: true },

  // Webhooks and mails.
  webhook_endpoints: { insert: true, update: true },
  webhook_deliveries: WORKING,
  webhook_attempts: { insert: true, update: ['response'] },
  webhook_relay: { update: true },
  restore_mark: { update: true },
  selling_mark: { update: true },
  mails: { insert: true, update: true },
  settlement_contacts: WORKING,
  report_schedules: WORKING,

  // Staff.
  staff: { insert: true, update: true },
  staff_account_changes: APPENDED,
  staff_recovery_codes: WORKING,
  staff_sessions: WORKING,
  staff_sign_in_failures: WORKING,
  saved_views: WORKING,
  default_views: WORKING,

  // Background work.
  settlement_runs: { insert: true, update: true },
  settlement_run_files: APPENDED,
  job_runs: { insert: true, update: true },
  workers: WORKING,
  invariant_lease: { update: true },
  invariant_runs: WORKING,
  invariant_states: { insert: true, update: true },
  app_key_canary: { insert: true, update: ['sealed'] },
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
