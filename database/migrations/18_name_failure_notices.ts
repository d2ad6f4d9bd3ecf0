import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE webhook_endpoints RENAME COLUMN told_failing_at TO failure_notified_at;
    `)
  }

  async down() {
    this.schema.raw(
      'ALTER TABLE webhook_endpoints RENAME COLUMN failure_notified_at TO told_failing_at'
    )
  }
}
