import { BaseSchema } from '@adonisjs/lucid/schema'

/** column → the steps that a row may take; what stays as it is takes none. */
const STEPS: Record<string, Record<string, [from: string, to: string][]>> = {
  bookings: {
    stored_status: [
      ['active', 'converted'],
      ['active', 'expired'],
    ],
  },
  orders: {
    stored_status: [
      ['pending', 'paid'],
      ['pending', 'cancelled'],
      ['pending', 'expired'],
      ['paid', 'partially_refunded'],
      ['paid', 'refunded'],
      ['partially_refunded', 'refunded'],
    ],
  },
  tickets: {
    status: [
      ['active', 'used'],
      ['active', 'void'],
      ['active', 'expired'],
      ['expired', 'used'],
    ],
  },
  events: {
    stored_status: [
      ['sales_scheduled', 'sales_open'],
      ['sales_scheduled', 'sales_closed'],
      ['sales_scheduled', 'cancelled'],
      ['sales_open', 'sales_paused'],
      ['sales_open', 'sales_closed'],
      ['sales_open', 'cancelled'],
      ['sales_paused', 'sales_open'],
      ['sales_paused', 'sales_closed'],
      ['sales_paused', 'cancelled'],
      ['sales_closed', 'sales_open'],
      ['sales_closed', 'cancelled'],
    ],
  },
  settlement_statements: {
    status: [
      ['issued', 'agreed'],
      ['issued', 'disputed'],
      ['issued', 'superseded'],
      ['disputed', 'agreed'],
      ['disputed', 'closed'],
      ['disputed', 'superseded'],
      ['agreed', 'closed'],
      ['closed', 'part_paid'],
      ['closed', 'paid'],
      ['part_paid', 'paid'],
    ],
  },
  settlement_cases: {
    state: [
      ['open', 'in_work'],
      ['open', 'with_partner'],
      ['open', 'resolved'],
      ['open', 'dismissed'],
      ['in_work', 'open'],
      ['in_work', 'with_partner'],
      ['in_work', 'resolved'],
      ['in_work', 'dismissed'],
      ['with_partner', 'open'],
      ['with_partner', 'in_work'],
      ['with_partner', 'resolved'],
      ['with_partner', 'dismissed'],
      ['resolved', 'open'],
      ['resolved', 'in_work'],
      ['dismissed', 'open'],
      ['dismissed', 'in_work'],
    ],
  },
}

/** The state tables of the contract and of settlement, kept by the database too. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE FUNCTION refuse_step() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'a row of % cannot take this step of its %', TG_TABLE_NAME, TG_ARGV[0]
          USING ERRCODE = 'check_violation';
      END $$;
    `)
    for (const { table, column, steps } of columns()) {
      const pairs = steps.map(([from, to]) => `('${from}', '${to}')`).join(', ')
      // In the WHEN clause, which costs a sale no call of a function.
      this.schema.raw(`
        CREATE TRIGGER ${table}_keep_to_states BEFORE UPDATE OF ${column} ON ${table} FOR EACH ROW
          WHEN (OLD.${column} <> NEW.${column} AND (OLD.${column}, NEW.${column}) NOT IN (${pairs}))
          EXECUTE FUNCTION refuse_step('${column}')
      `)
    }
  }

  async down() {
    for (const { table } of columns())
      this.schema.raw(`DROP TRIGGER ${table}_keep_to_states ON ${table}`)
    this.schema.raw('DROP FUNCTION refuse_step')
  }
}

const columns = () =>
  Object.entries(STEPS).flatMap(([table, byColumn]) =>
    Object.entries(byColumn).map(([column, steps]) => ({ table, column, steps }))
  )
