import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What the role of REPORTS_DATABASE_URL may read. No column has words that a buyer, a partner or a person of the staff has typed:
 * neither names and contacts nor free texts in which they might stand. A view is only ever given further columns.
 */
const VIEWS = {
  partners: `
    SELECT id, code, name, status, created_at FROM partners`,
  events: `
    SELECT e.id, e.title, v.name AS venue, h.name AS hall,
           event_status(e.stored_status, e.sales_start_at, e.starts_at, now()) AS status,
           e.event_type, e.age_rating, e.sales_start_at, e.starts_at, e.ends_at, e.cancelled_at, e.created_at
      FROM events e JOIN venues v ON v.id = e.venue_id JOIN halls h ON h.id = e.hall_id`,
  orders: `
    SELECT o.id, p.code AS partner, o.event_id, order_status_at(now(), o.stored_status, o.window_ends_at) AS status,
           o.total_tenge, o.created_at, o.window_ends_at, o.confirmed_at, o.cancelled_at
      FROM orders o JOIN partners p ON p.id = o.partner_id`,
  tickets: `
    SELECT t.number, t.order_id, t.event_id, sectors.public_id AS sector, hall_rows.label AS row, s.label AS seat,
           s.category_code AS category, t.price_tenge, t.status, t.issued_at, t.used_at, t.void_cause, t.voided_at
      FROM tickets t JOIN event_seats s ON s.id = t.event_seat_id JOIN sectors ON sectors.id = s.sector_id
      LEFT JOIN hall_rows ON hall_rows.id = s.row_id`,
  scans: `
    SELECT s.id, s.event_id, t.number AS ticket, s.verdict, s.offline_at, s.scanned_at
      FROM ticket_scans s LEFT JOIN tickets t ON t.id = s.ticket_id`,
  movements: `
    SELECT m.id, p.code AS partner, m.kind, m.amount_tenge, m.tickets, m.event_id, m.order_id, m.effective_at, m.recorded_at,
           s.number AS statement, m.line
      FROM ledger_movements m JOIN partners p ON p.id = m.partner_id LEFT JOIN settlement_statements s ON s.id = m.statement_id`,
  statements: `
    SELECT s.number, p.code AS partner, s.status, s.period_from, s.period_to, s.opening_tenge, s.closing_tenge, s.lines,
           s.late_lines, s.issued_at, s.dispute_until, s.status_at
      FROM settlement_statements s JOIN partners p ON p.id = s.partner_id`,
  payments: `
    SELECT y.id, p.code AS partner, y.direction, y.amount_tenge, y.paid_on, y.recorded_at, y.reverses_id
      FROM settlement_payments y JOIN partners p ON p.id = y.partner_id`,
  corrections: `
    SELECT m.id, m.number, p.code AS partner, m.kind, m.amount_tenge, m.outcome, m.asked_at, m.decided_at, m.reverses_id
      FROM settlement_memos m JOIN partners p ON p.id = m.partner_id`,
  cases: `
    SELECT c.id, p.code AS partner, c.severity, c.state, c.fault, c.buyer_tenge, c.platform_tenge, c.partner_tenge,
           c.is_false_positive, c.rule_set_version, c.occurred_at, c.found_at, c.gone_at, c.due_on, c.state_at
      FROM settlement_cases c JOIN partners p ON p.id = c.partner_id`,
  defects: `
    SELECT d.id, d.case_id, d.code, d.subclass, d.severity, d.fault, d.exposure_tenge, d.exposure_party, d.is_recovered,
           d.found_at, d.gone_at
      FROM settlement_defects d`,
}

export default class extends BaseSchema {
  async up() {
    // db:wipe leaves the schema, without its views.
    this.schema.raw('CREATE SCHEMA IF NOT EXISTS reports')
    for (const [name, query] of Object.entries(VIEWS))
      this.schema.raw(`CREATE VIEW reports.${name} AS ${query}`)
  }

  async down() {
    this.schema.raw('DROP SCHEMA reports CASCADE')
  }
}
