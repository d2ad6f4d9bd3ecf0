import { ownerRows } from '#tests/support/rows'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'

/** Columns with words that somebody typed or sent, from which a buyer is erased. */
const ERASED: Record<string, string> = {
  bookings: 'customer',
  orders: 'customer',
  confirm_attempts: 'amount_raw currency method',
  journal: 'change',
  partner_register_cases: 'note',
  partner_register_rows: 'raw email',
  partner_registers: 'preview control',
  settlement_case_notes: 'text',
  settlement_cases: 'resolution',
  webhook_attempts: 'response',
}

/** Those that stay; docs/privacy.md says why. */
const STAYS: Record<string, string> = {
  cancellation_requests: 'reason',
  events: 'cancellation_reason',
  orders: 'payment_method',
  partner_register_left_out_sheets: 'reason',
  partner_register_rows: 'problems',
  partner_registers: 'waiver',
  saved_views: 'name',
  settlement_allocations: 'reason',
  settlement_answers: 'comment',
  settlement_memos: 'reason',
  settlement_payments: 'reason',
  settlement_requests: 'input',
  settlement_rule_sets: 'reason',
  settlement_statements: 'status_note',
  tickets: 'void_reason',
}

/** Ids, codes, names of our own things and of staff, moments as they were sent, and what a program has written. */
const NO_WORDS: Record<string, string> = {
  adonis_schema: 'name',
  app_key_canary: 'sealed',
  archived_months: 'partition_name table_name',
  booking_seats: 'booking_id space_id',
  bookings: 'event_id order_id',
  cancellation_requests: 'asked_by ended_by event_id',
  confirm_attempts:
    'code external_payment_id order_id_sent order_status paid_at_raw timestamp_sent',
  default_views: 'list',
  erased_events: 'event_id',
  event_grants: 'event_id',
  event_keys: 'event_id kid private_key_encrypted public_jwk',
  event_prices: 'category_name event_id',
  event_seats: 'event_id label space_id',
  events: 'description id title venue_id',
  feed_reads: 'epoch',
  gate_devices: 'key_digest name',
  hall_rows: 'label public_id',
  hall_seats: 'label space_id',
  halls: 'name plan_digest plan_svg venue_id',
  invariant_runs: 'asked_by counterexamples failure invariant',
  invariant_states: 'invariant run_asked_by',
  job_runs: 'failure job',
  journal: 'actor booking_id event_id name order_id',
  ledger_checks: 'breaches',
  ledger_movements: 'event_id order_id source',
  mails:
    'asked_by attached_sha256 failure failure_words invariant message_id order_ids recipient report_kind subject',
  monthly_tables: 'storage_options table_name time_column',
  orders: 'booking_id event_id payment_external_id payment_paid_at_raw',
  partner_answers: 'code',
  partner_keys: 'api_key secret_encrypted',
  partner_register_case_orders: 'order_id',
  partner_register_cases: 'category decided_by key meant_order_id step why',
  partner_register_evidence: 'shown',
  partner_register_evidence_keys: 'key',
  partner_register_habits: 'fee_rules mapping',
  partner_register_kept_evidence: 'payment_ids_were',
  partner_register_left_out_sheets: 'left_out_by sheet',
  partner_register_named_payments: 'order_id payment_id',
  partner_register_parts: 'added_by encoding file_name filled_sheets headers sheet',
  partner_register_rows: 'event order_id order_key payment_id ticket_number',
  partner_registers:
    'decided_by encoding fee_rules file_name filled_sheets mapping problem sheet sheets totals uploaded_by',
  partners: 'allowed_addresses code name',
  refused_refunds: 'asked_by order_id ticket_id',
  register_sources: 'created_by fee_rules name words',
  report_schedules: 'created_by recipients',
  saved_views: 'columns filters list',
  sectors: 'name public_id',
  selling_mark: 'epoch',
  settlement_allocations: 'allocated_by credit debit',
  settlement_answers: 'by refund_number',
  settlement_case_notes: 'by',
  settlement_cases:
    'balance chain key order_ids payment_ids settled_party settled_payment_ids state_by',
  settlement_contacts: 'added_by email',
  settlement_counters: 'name',
  settlement_defects: 'code evidence hint order_id payment_id subclass',
  settlement_issuers: 'address bin city legal_name set_by signatory',
  settlement_memos: 'asked_by decided_by',
  settlement_partner_days: 'tally',
  settlement_partner_findings: 'code',
  settlement_payments: 'approved_by bank_reference recorded_by reference_key',
  settlement_requests: 'asked_by decided_by',
  settlement_rounded_sales: 'rounding',
  settlement_rule_sets: 'activated_by',
  settlement_run_files: 'name sha256',
  settlement_runs:
    'asked_by asked_by_kind error kind params progress question_sha256 request_sha256 result',
  settlement_seals: 'document',
  settlement_single_acts: 'person subject',
  settlement_statement_checks: 'wrong',
  settlement_statements: 'issued_by status_by totals zone',
  settlement_terms: 'approved_by bin contract_number legal_name set_by signatory',
  staff: 'email full_name password totp_secret_encrypted',
  staff_account_changes: 'change',
  staff_recovery_codes: 'digest',
  staff_sessions: 'address browser',
  staff_sign_in_failures: 'network',
  ticket_openings: 'ticket_id',
  ticket_scans: 'details event_id ticket_id verdict',
  tickets: 'event_id order_id used_gate voided_by',
  venues: 'id name',
  webhook_attempts: 'failure',
  webhook_deliveries: 'subject',
  webhook_endpoints: 'url',
  workers: 'host queues',
}

const columnsOf = (...tables: Record<string, string>[]) =>
  tables.flatMap((table) =>
    Object.entries(table).flatMap(([name, columns]) =>
      columns.split(' ').map((column) => `${name}.${column}`)
    )
  )

test.group('Texts in which a buyer may be named', () => {
  test('each column with words is erased, or stays for a reason, or has none of a buyer', async ({
    assert,
  }) => {
    const found = await ownerRows(
      `SELECT c.relname || '.' || a.attname AS name
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attnum > 0 AND NOT a.attisdropped
          AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype, 'buyer'::regtype)
          -- Other domains are ids and states. A text that a CHECK gives a list of values has no words.
          AND NOT (a.atttypid = 'text'::regtype AND EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
                             AND pg_get_constraintdef(k.oid) ~ 'ANY \\(+ARRAY'))`
    )
    assert.sameMembers(
      found.map(({ name }) => name as string),
      columnsOf(ERASED, STAYS, NO_WORDS)
    )
  })

  test('docs/privacy.md names each that stays', async ({ assert }) => {
    const text = await readFile(app.makePath('docs/privacy.md'), 'utf8')
    const missing = columnsOf(STAYS).filter((column) => !text.includes(`\`${column}\``))
    assert.deepEqual(missing, [])
  })
})
