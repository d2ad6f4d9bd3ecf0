/**
 * Primary keys, unique keys and references of the tables that hold money, seats, tickets and the journal, as PostgreSQL writes
 * them. A table that is added to these, and a key that is added, changed or dropped, needs a line here.
 */
export const KEYS: Record<string, string[]> = {
  event_prices: [
    'PRIMARY KEY (event_id, category_code)',
    'FOREIGN KEY (event_id) REFERENCES events(id)',
  ],
  event_seats: [
    'PRIMARY KEY (id)',
    'UNIQUE (event_id, space_id)',
    'UNIQUE INDEX (event_id, sector_id, "position")',
    'FOREIGN KEY (event_id) REFERENCES events(id)',
    'FOREIGN KEY (row_id) REFERENCES hall_rows(id)',
    'FOREIGN KEY (sector_id) REFERENCES sectors(id)',
  ],
  event_grants: [
    'PRIMARY KEY (partner_id, event_id)',
    'FOREIGN KEY (event_id) REFERENCES events(id)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
  ],
  event_keys: [
    'PRIMARY KEY (kid)',
    'UNIQUE (event_id)',
    'FOREIGN KEY (event_id) REFERENCES events(id)',
  ],
  partner_keys: ['PRIMARY KEY (api_key)', 'FOREIGN KEY (partner_id) REFERENCES partners(id)'],
  bookings: [
    'PRIMARY KEY (id)',
    'UNIQUE (event_id, partner_id, id)',
    'UNIQUE (partner_id, partner_booking_id)',
    'FOREIGN KEY (order_id) REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED',
    'FOREIGN KEY (partner_id, event_id) REFERENCES event_grants(partner_id, event_id)',
  ],
  booking_seats: [
    'PRIMARY KEY (booking_id, "position")',
    'UNIQUE (booking_id, event_seat_id)',
    'FOREIGN KEY (booking_id) REFERENCES bookings(id)',
    'FOREIGN KEY (event_seat_id) REFERENCES event_seats(id)',
  ],
  orders: [
    'PRIMARY KEY (id)',
    'UNIQUE (booking_id)',
    'UNIQUE (event_id, id)',
    'UNIQUE (partner_id, partner_order_id)',
    'FOREIGN KEY (event_id, partner_id, booking_id) REFERENCES bookings(event_id, partner_id, id)',
  ],
  tickets: [
    'PRIMARY KEY (id)',
    'UNIQUE (number)',
    'UNIQUE (order_id, event_seat_id)',
    `UNIQUE INDEX (event_seat_id) WHERE ((status)::text = ANY (ARRAY['active'::text, 'used'::text]))`,
    'FOREIGN KEY (event_id, order_id) REFERENCES orders(event_id, id)',
    'FOREIGN KEY (event_seat_id) REFERENCES event_seats(id)',
  ],
  ticket_scans: [
    'PRIMARY KEY (id)',
    'UNIQUE (phone_scan_id)',
    'FOREIGN KEY (event_id) REFERENCES events(id)',
    'FOREIGN KEY (gate_device_id) REFERENCES gate_devices(id)',
    'FOREIGN KEY (staff_id) REFERENCES staff(id)',
    'FOREIGN KEY (ticket_id) REFERENCES tickets(id)',
  ],
  // Without the time it would hold within each month only; ids are those of one sequence.
  confirm_attempts: [
    'PRIMARY KEY (id, received_at)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
  ],
  refused_refunds: ['PRIMARY KEY (ticket_id)'],
  cancellation_requests: [
    'PRIMARY KEY (id)',
    'UNIQUE INDEX (event_id) WHERE (outcome IS NULL)',
    'FOREIGN KEY (event_id) REFERENCES events(id)',
  ],
  journal: ['PRIMARY KEY (id, at)'],
  ledger_movements: [
    'PRIMARY KEY (id)',
    'UNIQUE (source, kind)',
    'UNIQUE INDEX (statement_id, line) WHERE (statement_id IS NOT NULL)',
    'FOREIGN KEY (statement_id) REFERENCES settlement_statements(id) DEFERRABLE INITIALLY DEFERRED',
  ],
  settlement_terms: [
    'PRIMARY KEY (id)',
    'UNIQUE (partner_id, valid_from)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
  ],
  settlement_accounts: [
    'PRIMARY KEY (partner_id)',
    'FOREIGN KEY (last_statement_id) REFERENCES settlement_statements(id)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
  ],
  settlement_counters: ['PRIMARY KEY (name)'],
  settlement_statements: [
    'PRIMARY KEY (id)',
    'UNIQUE (id, partner_id, period_to, closing_tenge, data_sha256)',
    'UNIQUE (number)',
    `UNIQUE INDEX (partner_id) WHERE ((prev_id IS NULL) AND ((status)::text <> 'superseded'::text))`,
    `UNIQUE INDEX (prev_id) WHERE ((status)::text <> 'superseded'::text)`,
    `UNIQUE INDEX (partner_id, period_from) WHERE ((status)::text <> 'superseded'::text)`,
    'UNIQUE INDEX (supersedes_id) WHERE (supersedes_id IS NOT NULL)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
    'FOREIGN KEY (prev_id, partner_id, period_from, opening_tenge, prev_sha256) REFERENCES settlement_statements(id, partner_id, period_to, closing_tenge, data_sha256)',
    'FOREIGN KEY (supersedes_id) REFERENCES settlement_statements(id)',
    'FOREIGN KEY (terms_id) REFERENCES settlement_terms(id)',
  ],
  settlement_superseded_lines: [
    'PRIMARY KEY (statement_id, line)',
    'FOREIGN KEY (statement_id) REFERENCES settlement_statements(id)',
  ],
  settlement_statement_checks: [
    'PRIMARY KEY (statement_id)',
    'FOREIGN KEY (statement_id) REFERENCES settlement_statements(id)',
  ],
  settlement_rounded_sales: [
    'PRIMARY KEY (origin_id, commission_bp, vat_bp, rounding, statement_id)',
    'FOREIGN KEY (origin_id) REFERENCES settlement_statements(id)',
    'FOREIGN KEY (statement_id) REFERENCES settlement_statements(id)',
  ],
  settlement_memos: [
    'PRIMARY KEY (id)',
    'UNIQUE (number)',
    `UNIQUE INDEX (origin_case_id, penalty_round) WHERE ((kind = 'penalty'::text) AND (outcome IS DISTINCT FROM 'declined'::text))`,
    `UNIQUE INDEX (reverses_id) WHERE (outcome IS DISTINCT FROM 'declined'::text)`,
    'FOREIGN KEY (origin_case_id) REFERENCES settlement_cases(id)',
    'FOREIGN KEY (origin_statement_id) REFERENCES settlement_statements(id)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
    'FOREIGN KEY (reverses_id) REFERENCES settlement_memos(id)',
  ],
  settlement_payments: [
    'PRIMARY KEY (id)',
    'UNIQUE (reverses_id)',
    'UNIQUE INDEX (direction, paid_on, bank_payment_key(bank_reference), amount_tenge, booking_round) WHERE (duplicate_of_id IS NULL)',
    'FOREIGN KEY (duplicate_of_id) REFERENCES settlement_payments(id)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
    'FOREIGN KEY (reverses_id) REFERENCES settlement_payments(id)',
  ],
  settlement_seals: ['PRIMARY KEY (document)', 'FOREIGN KEY (partner_id) REFERENCES partners(id)'],
  settlement_payment_parts: [
    'PRIMARY KEY (payment_id, statement_id)',
    'FOREIGN KEY (payment_id) REFERENCES settlement_payments(id)',
    'FOREIGN KEY (statement_id) REFERENCES settlement_statements(id)',
  ],
  settlement_allocations: [
    'PRIMARY KEY (id)',
    'UNIQUE (reverses_id)',
    'FOREIGN KEY (partner_id) REFERENCES partners(id)',
    'FOREIGN KEY (reverses_id) REFERENCES settlement_allocations(id)',
  ],
  settlement_requests: ['PRIMARY KEY (id)', 'FOREIGN KEY (partner_id) REFERENCES partners(id)'],
  settlement_single_acts: ['PRIMARY KEY (id)'],
  settlement_issuers: ['PRIMARY KEY (id)'],
}

/** Tables with amounts that are computed again from the tables above, or that only repeat what somebody else wrote. */
export const COMPUTED = [
  'events',
  'ledger_checks',
  'partner_register_case_orders',
  'partner_register_cases',
  'partner_register_parts',
  'partner_register_rows',
  'partner_registers',
  'settlement_cases',
  'settlement_defects',
]
