/**
 * What the database refuses by itself, one line a rule: the name of a CHECK or trigger and a statement that breaks it and nothing
 * else. `:order` and the like name rows of `rows_to_break.ts`.
 */

/** Domain → a value that it refuses. */
export const DOMAINS: Record<string, string> = {
  actor_kind: `'nobody'`,
  basis_points: '10001',
  booking_id: `'bkg_1'`,
  booking_status: `'held'`,
  buyer: `'{"phone": "1"}'`,
  category_code: `'balcony'`,
  currency: `'USD'`,
  duration_seconds: '0',
  exposure_party: `'GUEST'`,
  fault: `'NOBODY'`,
  movement_kind: `'gift'`,
  order_id: `'TIX-26-1'`,
  order_status: `'shipped'`,
  partner_reference: `''`,
  qr_token: `'short'`,
  register_state: `'lost'`,
  seat_holder: `'evt_1'`,
  seat_state: `'held'`,
  severity: `'AWFUL'`,
  sha256: `'abc'`,
  statement_status: `'draft'`,
  tenge: '-1',
  ticket_id: `'tkt_1'`,
  ticket_number: `'TKT-1'`,
  ticket_status: `'lost'`,
  time_precision: `'hour'`,
  void_cause: `'whim'`,
}

/** Table → CHECK → a statement that breaks it. */
export const CHECKS: Record<string, Record<string, string>> = {
  event_prices: {
    event_prices_category_name_check: `UPDATE event_prices SET category_name = '{}' WHERE event_id = :event`,
  },
  event_seats: {
    event_seats_check: `UPDATE event_seats SET held_by = NULL WHERE id = :soldSeat`,
  },
  event_grants: {
    event_grants_access_check: `UPDATE event_grants SET access = 'paused' WHERE event_id = :event`,
  },
  partner_keys: {
    partner_keys_api_key_check: `UPDATE partner_keys SET api_key = 'pk_test_1' WHERE partner_id = :partner`,
  },
  bookings: {
    bookings_check: `UPDATE bookings SET order_id = NULL WHERE order_id = :order`,
    bookings_erased_buyer: `UPDATE bookings SET customer = '{"name": "Аида"}', buyer_erased_at = now() WHERE order_id = :order`,
  },
  orders: {
    orders_check: `UPDATE orders SET confirmed_at = NULL, payment_amount_tenge = NULL WHERE id = :order`,
    orders_check1: `UPDATE orders SET payment_amount_tenge = payment_amount_tenge - 1 WHERE id = :order`,
    orders_check2: `UPDATE orders SET cancelled_at = now() WHERE id = :order`,
    orders_erased_buyer: `UPDATE orders SET buyer_erased_at = now() WHERE id = :order`,
  },
  tickets: {
    tickets_check: `UPDATE tickets SET void_cause = 'refund' WHERE id = :ticket`,
    tickets_check1: `UPDATE tickets SET status = 'used', used_at = NULL WHERE id = :ticket`,
  },
  ticket_scans: {
    ticket_scans_check: `UPDATE ticket_scans SET gate_device_id = NULL WHERE id = :scan`,
    ticket_scans_check1: `UPDATE ticket_scans SET gate_device_id = NULL, staff_id = 1, phone_scan_id = NULL WHERE id = :scan`,
  },
  cancellation_requests: {
    cancellation_requests_check: `UPDATE cancellation_requests SET ended_by = 'b' WHERE id = :cancellationRequest`,
    cancellation_requests_check1: `UPDATE cancellation_requests SET outcome = 'approved', ended_by = asked_by, ended_at = now()
      WHERE id = :cancellationRequest`,
    cancellation_requests_outcome_check: `UPDATE cancellation_requests SET outcome = 'lost', ended_by = 'b', ended_at = now()
      WHERE id = :cancellationRequest`,
  },
  ledger_movements: {
    ledger_movements_check: `UPDATE ledger_movements SET line = NULL WHERE id = :settledMovement`,
    ledger_movements_check1: `UPDATE ledger_movements SET amount_tenge = -1 WHERE source = :order AND kind = 'sale'`,
  },
  settlement_terms: {
    settlement_terms_bin_check: `UPDATE settlement_terms SET bin = '12345678901' WHERE id = :terms`,
    settlement_terms_check: `UPDATE settlement_terms SET approved_by = set_by WHERE id = :terms`,
    settlement_terms_dispute_days_check: `UPDATE settlement_terms SET dispute_days = 366 WHERE id = :terms`,
    settlement_terms_grace_minutes_check: `UPDATE settlement_terms SET grace_minutes = 10081 WHERE id = :terms`,
    settlement_terms_leave_something: `UPDATE settlement_terms SET commission_bp = 10000, vat_bp = 10000 WHERE id = :terms`,
    settlement_terms_payment_days_check: `UPDATE settlement_terms SET payment_days = 366 WHERE id = :terms`,
    settlement_terms_period_check: `UPDATE settlement_terms SET period = 'year' WHERE id = :terms`,
    settlement_terms_refund_evidence_days_check: `UPDATE settlement_terms SET refund_evidence_days = -1 WHERE id = :terms`,
    settlement_terms_rounding_check: `UPDATE settlement_terms SET rounding = 'up' WHERE id = :terms`,
    settlement_terms_used_tickets_of_cancelled_events_check: `UPDATE settlement_terms SET used_tickets_of_cancelled_events = 'sell' WHERE id = :terms`,
  },
  settlement_statements: {
    settlement_statements_check: `UPDATE settlement_statements SET period_to = period_from WHERE id = :statement`,
    settlement_statements_check1: `UPDATE settlement_statements SET prev_sha256 = NULL WHERE id = :statement`,
    settlement_statements_check2: `UPDATE settlement_statements SET opening_tenge = 1 WHERE id = :firstStatement`,
    settlement_statements_hash_version_check: `UPDATE settlement_statements SET hash_version = 5 WHERE id = :statement`,
  },
  settlement_rounded_sales: {
    settlement_rounded_sales_remaining_tenge_check: `UPDATE settlement_rounded_sales SET remaining_tenge = -1
      WHERE statement_id = :statement`,
  },
  settlement_memos: {
    settlement_memos_amount_tenge_check: `UPDATE settlement_memos SET amount_tenge = 0 WHERE id = :memo`,
    settlement_memos_check: `UPDATE settlement_memos SET decided_by = 'b' WHERE id = :openMemo`,
    settlement_memos_check1: `UPDATE settlement_memos SET number = NULL WHERE id = :memo`,
    settlement_memos_check2: `UPDATE settlement_memos SET outcome = 'approved', decided_by = asked_by, decided_at = now(), number = 2000000000
      WHERE id = :openMemo`,
    settlement_memos_kind_check: `UPDATE settlement_memos SET kind = 'gift' WHERE id = :memo`,
    settlement_memos_outcome_check: `UPDATE settlement_memos SET outcome = 'lost', number = NULL WHERE id = :memo`,
  },
  settlement_payments: {
    settlement_payments_amount_tenge_check: `UPDATE settlement_payments SET amount_tenge = 0 WHERE id = :payment`,
    settlement_payments_are_past: `UPDATE settlement_payments SET paid_on = paid_on + 1000 WHERE id = :payment`,
    settlement_payments_check: `UPDATE settlement_payments SET approved_by = recorded_by WHERE id = :payment`,
    settlement_payments_direction_check: `UPDATE settlement_payments SET direction = 'to_nobody' WHERE id = :payment`,
    settlement_payments_have_a_reference: `UPDATE settlement_payments SET bank_reference = '№ -' WHERE id = :payment`,
    settlement_payments_reverse_with_reason: `UPDATE settlement_payments SET reason = 'why' WHERE id = :payment`,
  },
  settlement_payment_parts: {
    settlement_payment_parts_amount_tenge_check: `UPDATE settlement_payment_parts SET amount_tenge = 0 WHERE payment_id = :payment`,
  },
  settlement_allocations: {
    settlement_allocations_check: `UPDATE settlement_allocations SET amount_tenge = -1 WHERE id = :allocation`,
    settlement_allocations_check1: `UPDATE settlement_allocations SET reason = 'why' WHERE id = :allocation`,
    settlement_allocations_credit_check: `UPDATE settlement_allocations SET credit = 'ticket:1' WHERE id = :allocation`,
    settlement_allocations_debit_check: `UPDATE settlement_allocations SET debit = 'statement:0' WHERE id = :allocation`,
  },
  settlement_requests: {
    settlement_requests_act_check: `UPDATE settlement_requests SET act = 'gift' WHERE id = :request`,
    settlement_requests_amount_tenge_check: `UPDATE settlement_requests SET amount_tenge = -1 WHERE id = :request`,
    settlement_requests_check: `UPDATE settlement_requests SET decided_by = 'b' WHERE id = :request`,
    settlement_requests_check1: `UPDATE settlement_requests SET outcome = 'approved', decided_by = asked_by, decided_at = now() WHERE id = :request`,
    settlement_requests_outcome_check: `UPDATE settlement_requests SET outcome = 'lost', decided_by = 'b', decided_at = now() WHERE id = :request`,
  },
  settlement_single_acts: {
    settlement_single_acts_amount_tenge_check: `UPDATE settlement_single_acts SET amount_tenge = -1 WHERE id = :singleAct`,
    settlement_single_acts_scope_check: `UPDATE settlement_single_acts SET scope = 'gift' WHERE id = :singleAct`,
  },
  settlement_issuers: {
    settlement_issuers_bin_check: `UPDATE settlement_issuers SET bin = '1' WHERE id = :issuer`,
    settlement_issuers_legal_name_check: `UPDATE settlement_issuers SET legal_name = ' ' WHERE id = :issuer`,
  },
}

/** Table → trigger → statements, each of which it refuses. */
export const REFUSING_TRIGGERS: Record<string, Record<string, string[]>> = {
  event_grants: {
    event_grants_stay: [`DELETE FROM event_grants WHERE event_id = :event`],
  },
  event_seats: {
    event_seats_layout_stays: [
      `UPDATE event_seats SET space_id = 'other' WHERE id = :soldSeat`,
      `UPDATE event_seats SET row_id = row_id + 1 WHERE id = :soldSeat`,
      `UPDATE event_seats SET category_code = 'fan' WHERE id = :soldSeat`,
    ],
  },
  bookings: {
    bookings_keep_to_states: [
      `UPDATE bookings SET stored_status = 'active', order_id = NULL WHERE order_id = :order`,
    ],
  },
  orders: {
    orders_stay: [`DELETE FROM orders WHERE id = :openOrder`],
    orders_keep_to_states: [
      `UPDATE orders SET stored_status = 'pending', confirmed_at = NULL WHERE id = :order`,
      `UPDATE orders SET stored_status = 'refunded', confirmed_at = now(), payment_amount_tenge = total_tenge WHERE id = :pendingOrder`,
    ],
  },
  tickets: {
    tickets_keep_to_states: [
      `UPDATE tickets SET status = 'active', void_cause = NULL, voided_at = NULL, voided_by = NULL WHERE id = :voidTicket`,
    ],
    tickets_keep_void: [
      `UPDATE tickets SET status = 'active', void_cause = NULL, voided_at = NULL, voided_by = NULL WHERE id = :voidTicket`,
    ],
  },
  confirm_attempts: {
    confirm_attempts_stay: [`DELETE FROM confirm_attempts WHERE order_id_sent = :order`],
    confirm_attempts_are_evidence: [
      `UPDATE confirm_attempts SET amount_raw = '1' WHERE order_id_sent = :order`,
      `UPDATE confirm_attempts SET amount_raw = '[erased]' WHERE order_id_sent = :order`,
      `UPDATE confirm_attempts SET external_payment_id = 'pay-2' WHERE order_id_sent = :order`,
      `UPDATE confirm_attempts SET http_status = 409, code = 'ORDER_EXPIRED' WHERE order_id_sent = :order`,
      `UPDATE confirm_attempts SET answered_at = NULL WHERE order_id_sent = :order`,
    ],
    confirm_attempts_is_never_emptied: [`TRUNCATE confirm_attempts`],
  },
  journal: {
    journal_is_append_only: [
      `UPDATE journal SET actor = 'somebody else' WHERE order_id = :order`,
      `DELETE FROM journal WHERE order_id = :order`,
    ],
    journal_is_never_emptied: [`TRUNCATE journal CASCADE`],
  },
  ledger_movements: {
    ledger_movements_are_frozen: [
      `UPDATE ledger_movements SET amount_tenge = amount_tenge + 1 WHERE source = :openOrder AND kind = 'sale'`,
      `UPDATE ledger_movements SET effective_at = now() WHERE source = :openOrder AND kind = 'sale'`,
      `UPDATE ledger_movements SET partner_id = partner_id + 1 WHERE source = :openOrder AND kind = 'sale'`,
    ],
    ledger_movements_are_never_emptied: [`TRUNCATE ledger_movements CASCADE`],
    ledger_movements_stay: [`DELETE FROM ledger_movements WHERE source = :openOrder`],
    ledger_movements_stay_settled: [
      `UPDATE ledger_movements SET statement_id = NULL, line = NULL WHERE id = :settledMovement`,
      `UPDATE ledger_movements SET line = line + 1000 WHERE id = :settledMovement`,
    ],
  },
  settlement_terms: {
    settlement_terms_are_never_emptied: [`TRUNCATE settlement_terms CASCADE`],
    settlement_terms_in_force_stay: [`DELETE FROM settlement_terms WHERE id = :terms`],
    settlement_terms_stay: [`UPDATE settlement_terms SET commission_bp = 0 WHERE id = :terms`],
  },
  settlement_statements: {
    settlement_statements_are_frozen: [
      `UPDATE settlement_statements SET closing_tenge = closing_tenge + 1 WHERE id = :statement`,
      `UPDATE settlement_statements SET status = 'issued' WHERE id = :supersededStatement`,
    ],
    settlement_statements_are_kept: [
      `UPDATE settlement_statements SET data_sha256 = repeat('0', 64) WHERE id = :statement`,
      `UPDATE settlement_statements SET hash_version = 1 WHERE id = :statement`,
    ],
    settlement_statements_are_never_deleted: [
      `DELETE FROM settlement_statements WHERE id = :statement`,
    ],
    settlement_statements_are_never_emptied: [`TRUNCATE settlement_statements CASCADE`],
    settlement_statements_keep_to_states: [
      `UPDATE settlement_statements SET status = 'closed' WHERE id = :statement`,
    ],
    settlement_statements_stay: [`DELETE FROM settlement_statements WHERE id = :statement`],
    settlement_statements_withdrawn_unpaid: [
      `UPDATE settlement_statements SET status = 'superseded' WHERE id = :paidStatement`,
    ],
  },
  settlement_seals: {
    settlement_seals_are_kept: [
      `UPDATE settlement_seals SET sha256 = repeat('0', 64) WHERE document = 'payment:' || :payment`,
      `DELETE FROM settlement_seals WHERE document = 'payment:' || :payment`,
    ],
    settlement_seals_are_never_emptied: [`TRUNCATE settlement_seals CASCADE`],
  },
  settlement_superseded_lines: {
    settlement_superseded_lines_are_never_emptied: [`TRUNCATE settlement_superseded_lines CASCADE`],
    settlement_superseded_lines_stay: [
      `UPDATE settlement_superseded_lines SET movement_id = 0 WHERE statement_id = :supersededStatement`,
      `DELETE FROM settlement_superseded_lines WHERE statement_id = :supersededStatement`,
    ],
  },
  settlement_rounded_sales: {
    settlement_rounded_sales_are_never_emptied: [`TRUNCATE settlement_rounded_sales CASCADE`],
    settlement_rounded_sales_stay: [
      `UPDATE settlement_rounded_sales SET remaining_tenge = 0 WHERE statement_id = :statement`,
      `DELETE FROM settlement_rounded_sales WHERE statement_id = :statement`,
    ],
  },
  settlement_memos: {
    settlement_memos_are_kept: [
      `UPDATE settlement_memos SET amount_tenge = amount_tenge + 1 WHERE id = :openMemo`,
      `UPDATE settlement_memos SET decided_by = 'b' WHERE id = :memo`,
    ],
    settlement_memos_are_never_deleted: [`DELETE FROM settlement_memos WHERE id = :openMemo`],
    settlement_memos_are_never_emptied: [`TRUNCATE settlement_memos CASCADE`],
    settlement_memos_reverse_whole: [
      `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, asked_by, needs_second, reverses_id)
       SELECT partner_id, 'adj_debit', amount_tenge - 1, 'why', 'a', false, id FROM settlement_memos WHERE id = :memo`,
      `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, asked_by, needs_second, reverses_id)
       SELECT partner_id, 'adj_credit', amount_tenge, 'why', 'a', false, id FROM settlement_memos WHERE id = :memo`,
    ],
  },
  settlement_payments: {
    settlement_payments_are_kept: [
      `UPDATE settlement_payments SET amount_tenge = amount_tenge + 1 WHERE id = :payment`,
    ],
    settlement_payments_are_never_deleted: [`DELETE FROM settlement_payments WHERE id = :payment`],
    settlement_payments_are_never_emptied: [`TRUNCATE settlement_payments CASCADE`],
    settlement_payments_reverse_whole: [
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, reverses_id, reason)
       SELECT partner_id, 'back', paid_on, 'to_partner', amount_tenge - 1, 'a', id, 'why' FROM settlement_payments WHERE id = :payment`,
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, reverses_id, reason)
       SELECT partner_id, 'back', paid_on, direction, amount_tenge, 'a', id, 'why' FROM settlement_payments WHERE id = :payment`,
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, reverses_id, reason)
       SELECT (SELECT max(id) FROM partners WHERE id <> partner_id), 'back', paid_on, 'to_partner', amount_tenge, 'a', id, 'why'
         FROM settlement_payments WHERE id = :payment`,
    ],
  },
  settlement_payment_parts: {
    settlement_payment_parts_are_kept: [
      `UPDATE settlement_payment_parts SET amount_tenge = amount_tenge + 1 WHERE payment_id = :payment`,
    ],
    settlement_payment_parts_are_never_deleted: [
      `DELETE FROM settlement_payment_parts WHERE payment_id = :payment`,
    ],
    settlement_payment_parts_are_never_emptied: [`TRUNCATE settlement_payment_parts CASCADE`],
  },
  settlement_allocations: {
    settlement_allocations_are_kept: [
      `UPDATE settlement_allocations SET amount_tenge = amount_tenge + 1 WHERE id = :allocation`,
      `DELETE FROM settlement_allocations WHERE id = :allocation`,
    ],
    settlement_allocations_are_never_emptied: [`TRUNCATE settlement_allocations CASCADE`],
    settlement_allocations_fit: [
      // More than is left of the credit, more than is open of the debit, and an undoing of another amount.
      `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by)
       SELECT partner_id, credit, debit, 1000000, 'a' FROM settlement_allocations WHERE id = :allocation`,
      `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by)
       SELECT partner_id, credit, 'statement:' || :supersededStatement, 1, 'a' FROM settlement_allocations WHERE id = :allocation`,
      `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by, reverses_id, reason)
       SELECT partner_id, credit, debit, 1 - amount_tenge, 'a', id, 'why' FROM settlement_allocations WHERE id = :allocation`,
    ],
  },
  settlement_requests: {
    settlement_requests_are_frozen: [
      `UPDATE settlement_requests SET amount_tenge = amount_tenge + 1 WHERE id = :request`,
      `UPDATE settlement_requests SET input = '{}' WHERE id = :request`,
    ],
    settlement_requests_are_never_emptied: [`TRUNCATE settlement_requests CASCADE`],
    settlement_requests_stay: [`DELETE FROM settlement_requests WHERE id = :request`],
  },
  settlement_single_acts: {
    settlement_single_acts_are_never_emptied: [`TRUNCATE settlement_single_acts`],
    settlement_single_acts_stay: [
      `UPDATE settlement_single_acts SET amount_tenge = 0 WHERE id = :singleAct`,
      `DELETE FROM settlement_single_acts WHERE id = :singleAct`,
    ],
  },
  settlement_issuers: {
    settlement_issuers_are_never_emptied: [`TRUNCATE settlement_issuers`],
    settlement_issuers_stay: [
      `UPDATE settlement_issuers SET address = 'elsewhere' WHERE id = :issuer`,
      `DELETE FROM settlement_issuers WHERE id = :issuer`,
    ],
  },
}

/** Table → trigger that writes something → a statement, and what is true after it. */
export const WRITING_TRIGGERS: Record<string, Record<string, { act: string; leaves: string }>> = {
  event_grants: {
    event_grants_stamp_change: {
      act: `UPDATE event_grants SET access = 'revoked' WHERE event_id = :event`,
      leaves: `SELECT change_xid = pg_current_xact_id() FROM event_grants WHERE event_id = :event`,
    },
  },
  orders: {
    orders_move_sale: {
      act: `UPDATE orders SET stored_status = 'paid', confirmed_at = now(), payment_amount_tenge = total_tenge WHERE id = :pendingOrder`,
      leaves: `SELECT m.amount_tenge = o.total_tenge FROM orders o JOIN ledger_movements m ON m.source = o.id AND m.kind = 'sale'
                WHERE o.id = :pendingOrder`,
    },
  },
  tickets: {
    tickets_move_void: {
      act: `UPDATE tickets SET status = 'void', void_cause = 'platform', voided_at = now(), voided_by = 'a' WHERE id = :ticket`,
      leaves: `SELECT m.amount_tenge = -t.price_tenge FROM tickets t
                 JOIN ledger_movements m ON m.source = t.id AND m.kind = 'platform_void' WHERE t.id = :ticket`,
    },
  },
  settlement_memos: {
    settlement_memos_seal: {
      act: `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, asked_by, needs_second)
            SELECT partner_id, 'adj_debit', 1, 'why', 'a', false FROM settlement_memos WHERE id = :memo`,
      leaves: `SELECT EXISTS (SELECT FROM settlement_seals WHERE document = 'memo:' || (SELECT max(id) FROM settlement_memos))`,
    },
    settlement_memos_seal_decision: {
      act: `UPDATE settlement_memos SET outcome = 'declined', decided_by = 'b', decided_at = now() WHERE id = :openMemo`,
      leaves: `SELECT EXISTS (SELECT FROM settlement_seals WHERE document = 'decision:' || :openMemo)`,
    },
    settlement_memos_count_penalty_round: {
      act: `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, asked_by, needs_second, origin_case_id, penalty_round)
            VALUES (:partner, 'penalty', 1, 'why', 'a', false, 2000000000, 7)`,
      leaves: `SELECT penalty_round = 0 FROM settlement_memos WHERE origin_case_id = 2000000000`,
    },
  },
  settlement_payments: {
    settlement_payments_seal: {
      act: `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
            SELECT partner_id, 'sealed', paid_on, direction, amount_tenge, 'a' FROM settlement_payments WHERE id = :payment`,
      leaves: `SELECT EXISTS (SELECT FROM settlement_seals WHERE document = 'payment:' || (SELECT max(id) FROM settlement_payments))`,
    },
    settlement_payments_count_booking_round: {
      act: `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, reverses_id, reason)
            SELECT partner_id, 'back', paid_on, 'to_partner', amount_tenge, 'a', id, 'why' FROM settlement_payments WHERE id = :payment;
            INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, booking_round)
            SELECT partner_id, bank_reference, paid_on, direction, amount_tenge, 'a', 7 FROM settlement_payments WHERE id = :payment`,
      leaves: `SELECT booking_round = 1 FROM settlement_payments ORDER BY id DESC LIMIT 1`,
    },
  },
  settlement_payment_parts: {
    settlement_payment_parts_are_allocated: {
      act: `INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge) VALUES (:payment, :statement, 1)`,
      leaves: `SELECT amount_tenge = 1 FROM settlement_allocations WHERE credit = 'payment:' || :payment
                  AND debit = 'statement:' || :statement`,
    },
  },
}
