import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What a register's rows and matches refer to is looked up once a statement. A foreign key locks what it finds for each row, and a
 * register has hundreds of thousands: half of the time that saving its matches took. Registers and orders cannot be deleted any
 * more; nobody ever did. A match's key is made of lines and orders that stand in no other match: it needs no index.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Sales wait behind this while a long query reads orders: rather a failed migration than that.
      SET LOCAL lock_timeout = '3s';

      CREATE TRIGGER partner_registers_stay BEFORE DELETE ON partner_registers
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER orders_stay BEFORE DELETE ON orders
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER partner_register_rows_keep BEFORE UPDATE OF register_id, line ON partner_register_rows
        FOR EACH ROW EXECUTE FUNCTION refuse_change();

      CREATE FUNCTION refer_to_registers() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE unknown integer;
      BEGIN
        SELECT a.register_id INTO unknown FROM (SELECT DISTINCT register_id FROM added) a
         WHERE NOT EXISTS (SELECT FROM partner_registers r WHERE r.id = a.register_id) LIMIT 1;
        IF unknown IS NOT NULL THEN
          RAISE EXCEPTION 'no register %', unknown USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER partner_register_rows_refer AFTER INSERT ON partner_register_rows
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_registers();
      CREATE TRIGGER partner_register_cases_refer AFTER INSERT ON partner_register_cases
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_registers();

      -- Each order and each row by its own index.
      CREATE FUNCTION refer_to_orders() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE unknown text;
      BEGIN
        SELECT a.order_id INTO unknown
          FROM added a LEFT JOIN LATERAL (SELECT id FROM orders WHERE id = a.order_id OFFSET 0) o ON true
         WHERE o.id IS NULL LIMIT 1;
        IF unknown IS NOT NULL THEN
          RAISE EXCEPTION 'no order %', unknown USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER partner_register_case_orders_refer AFTER INSERT ON partner_register_case_orders
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_orders();

      CREATE FUNCTION refer_to_register_rows() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE unknown integer;
      BEGIN
        -- Until this transaction ends no row of these registers is deleted.
        PERFORM FROM partner_registers WHERE id IN (SELECT register_id FROM added) FOR SHARE;
        SELECT a.line INTO unknown
          FROM added a
          LEFT JOIN LATERAL (
            SELECT line FROM partner_register_rows WHERE register_id = a.register_id AND line = a.line OFFSET 0) r ON true
         WHERE r.line IS NULL LIMIT 1;
        IF unknown IS NOT NULL THEN
          RAISE EXCEPTION 'no line % in this register', unknown USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER partner_register_case_rows_refer AFTER INSERT ON partner_register_case_rows
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_register_rows();

      CREATE FUNCTION keep_register_rows_in_use() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE used integer;
      BEGIN
        PERFORM FROM partner_registers WHERE id IN (SELECT register_id FROM deleted) FOR NO KEY UPDATE;
        SELECT d.line INTO used FROM deleted d
          JOIN LATERAL (
            SELECT line FROM partner_register_case_rows WHERE register_id = d.register_id AND line = d.line OFFSET 0) r ON true
         LIMIT 1;
        IF used IS NOT NULL THEN
          RAISE EXCEPTION 'line % still stands in a case', used USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER partner_register_rows_in_use AFTER DELETE ON partner_register_rows
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION keep_register_rows_in_use();

      ALTER TABLE partner_register_rows DROP CONSTRAINT partner_register_rows_register_id_fkey;
      ALTER TABLE partner_register_cases
        DROP CONSTRAINT partner_register_cases_register_id_fkey,
        DROP CONSTRAINT partner_register_cases_register_id_key_key;
      ALTER TABLE partner_register_case_rows DROP CONSTRAINT partner_register_case_rows_register_id_line_fkey;
      ALTER TABLE partner_register_case_orders DROP CONSTRAINT partner_register_case_orders_order_id_fkey;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_register_case_orders ADD FOREIGN KEY (order_id) REFERENCES orders;
      ALTER TABLE partner_register_case_rows ADD FOREIGN KEY (register_id, line) REFERENCES partner_register_rows;
      ALTER TABLE partner_register_cases
        ADD FOREIGN KEY (register_id) REFERENCES partner_registers,
        ADD UNIQUE (register_id, key);
      ALTER TABLE partner_register_rows ADD FOREIGN KEY (register_id) REFERENCES partner_registers;
      DROP TRIGGER partner_register_rows_in_use ON partner_register_rows;
      DROP TRIGGER partner_register_case_rows_refer ON partner_register_case_rows;
      DROP TRIGGER partner_register_case_orders_refer ON partner_register_case_orders;
      DROP TRIGGER partner_register_cases_refer ON partner_register_cases;
      DROP TRIGGER partner_register_rows_refer ON partner_register_rows;
      DROP TRIGGER partner_register_rows_keep ON partner_register_rows;
      DROP TRIGGER orders_stay ON orders;
      DROP TRIGGER partner_registers_stay ON partner_registers;
      DROP FUNCTION keep_register_rows_in_use();
      DROP FUNCTION refer_to_register_rows();
      DROP FUNCTION refer_to_orders();
      DROP FUNCTION refer_to_registers();
    `)
  }
}
