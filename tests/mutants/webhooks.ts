import type { Mutant } from '../../dev/mutation/mutant.ts'

const deliveries = ['tests/functional/webhooks/deliveries.spec.ts']

export default [
  {
    name: 'an answer to an older claim settles a delivery',
    file: 'app/webhooks/deliver_webhooks/record_attempts.ts',
    find: 'WHERE id = ANY (:ids) AND attempts = (:attempts::int[])[place]',
    replace: 'WHERE id = ANY (:ids)',
    specs: deliveries,
  },
  {
    name: 'an older claim releases a delivery',
    file: 'app/webhooks/deliver_webhooks/claim_deliveries.ts',
    find: ' AND d.attempts = unsent.attempt',
    replace: '',
    specs: deliveries,
  },
  {
    name: 'a round goes on at an endpoint that was disabled',
    file: 'app/webhooks/deliver_webhooks/claim_deliveries.ts',
    find: "AND status = 'active' AND (paused_until",
    replace: 'AND (paused_until',
    specs: deliveries,
  },
  {
    name: 'a failure after the endpoint was disabled is retried',
    file: 'app/webhooks/deliver_webhooks/record_attempts.ts',
    find: "THEN 'failed' ELSE status END",
    replace: "THEN 'failed' ELSE 'pending' END",
    specs: deliveries,
  },
  {
    name: 'two rounds run at one endpoint',
    file: 'app/webhooks/deliver_webhooks/claim_deliveries.ts',
    find: '\n        AND (round IS NULL OR round = :round OR round_until <= clock_timestamp())',
    replace: '',
    specs: ['tests/functional/webhooks/deliveries.spec.ts'],
  },
  {
    name: 'a paused endpoint is called',
    file: 'app/webhooks/deliver_webhooks/claim_deliveries.ts',
    find: ' AND (paused_until IS NULL OR paused_until <= clock_timestamp())\n        AND (round',
    replace: '\n        AND (round',
    specs: ['tests/functional/webhooks/deliveries.spec.ts'],
  },
  {
    name: 'a success leaves an endpoint failing',
    file: 'app/webhooks/deliver_webhooks/record_attempts.ts',
    find: 'CASE any_success WHEN true THEN NULL WHEN false',
    replace: 'CASE any_success WHEN false',
    specs: ['tests/functional/webhooks/deliveries.spec.ts'],
  },
  {
    name: 'another partner’s deliveries are replayed',
    file: 'app/webhooks/actions/replay_deliveries.ts',
    find: 'e.id = d.endpoint_id AND e.partner_id = :partnerId',
    replace: 'e.id = d.endpoint_id AND :partnerId::int IS NOT NULL',
    specs: ['tests/functional/webhooks/deliveries.spec.ts'],
  },
] satisfies Mutant[]
