import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Several sheets and files make one register. The row of the register has its first one; the others are here. Lines are numbered
 * on through all of them, so that a line is unique within the register.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE partner_registers
        -- The sheets of its file that have rows; null where nobody has looked.
        ADD COLUMN filled_sheets text[],
        -- The last line that was given to a part so far. Lines of a part that was taken away are not used again.
        ADD COLUMN lines_given integer NOT NULL DEFAULT 0 CHECK (lines_given >= 0);

      CREATE TABLE partner_register_parts (
        register_id integer NOT NULL REFERENCES partner_registers,
        number integer NOT NULL CHECK (number > 1),
        file_name text NOT NULL CHECK (char_length(file_name) BETWEEN 1 AND 200),
        bytes integer NOT NULL CHECK (bytes > 0),
        sha256 sha256 NOT NULL,
        format text NOT NULL CHECK (format IN ('xlsx', 'csv')),
        encoding text,
        filled_sheets text[] NOT NULL,
        sheet text,
        header_line integer NOT NULL CHECK (header_line >= 0),
        headers jsonb NOT NULL,
        -- What a row is that does not say it.
        rows_are text NOT NULL DEFAULT 'as_stated' CHECK (rows_are IN ('as_stated', 'refunds')),
        declared_rows integer CHECK (declared_rows >= 0),
        declared_tenge bigint,
        -- The line of the register that its first row has; null until it is read.
        first_line integer CHECK (first_line > 1),
        added_by text NOT NULL,
        added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (register_id, number),
        UNIQUE NULLS NOT DISTINCT (register_id, sha256, sheet)
      );
      CREATE INDEX partner_register_parts_file ON partner_register_parts (sha256);

      -- Sheets with rows that a person has left out, and why.
      CREATE TABLE partner_register_left_out_sheets (
        register_id integer NOT NULL REFERENCES partner_registers,
        sha256 sha256 NOT NULL,
        sheet text NOT NULL,
        reason text NOT NULL,
        left_out_by text NOT NULL,
        left_out_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (register_id, sha256, sheet)
      );
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE partner_register_left_out_sheets, partner_register_parts;
      ALTER TABLE partner_registers DROP COLUMN filled_sheets, DROP COLUMN lines_given;
    `)
  }
}
