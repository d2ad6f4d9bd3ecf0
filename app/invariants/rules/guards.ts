import { type Guard, SELECT_GUARDS } from '#database/guard_definitions'
import { GUARDS } from '#database/guards'
import type { Counterexample, Finding } from '#invariants/invariant'
import { IS_OUR_SCHEMA } from '#invariants/rules/schema_version'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectGuards = statement<Guard>('invariant_guards', SELECT_GUARDS)
const selectIsOurs = statement<{ isOurs: boolean }>(
  'invariant_guards_version',
  `SELECT ${IS_OUR_SCHEMA} AS "isOurs"`
)

/** Compares the guards with those that the migrations make. The schema of another release has others, so it is not compared. */
export async function findChangedGuards(trx: TransactionClientContract): Promise<Finding> {
  const { isOurs } = await selectIsOurs.one({}, trx)
  if (!isOurs) return { rowsLookedAt: 0, counterexamples: [] }
  const guards = await selectGuards({}, trx)
  return { rowsLookedAt: guards.length, counterexamples: changedGuards(guards, GUARDS) }
}

/**
 *     the migrations make                     there is
 *     constraint orders.orders_check  7d4f…   –                                        GUARD_MISSING
 *     function refuse_change()        8634…   function refuse_change()           91fb  GUARD_CHANGED
 *     –                                       trigger journal.lose_entries       02aa  TRIGGER_UNKNOWN
 *     –                                       rule journal.nothing_instead       61f0  RULE_UNKNOWN
 *     –                                       constraint orders.orders_check_2   5e51  fine: it takes nothing away
 */
export function changedGuards(
  guards: Guard[],
  wanted: Readonly<Record<string, string>>
): Counterexample[] {
  const missing = new Set(Object.keys(wanted)).difference(new Set(guards.map(({ name }) => name)))
  return [
    ...[...missing].map((name) => ({ code: 'GUARD_MISSING', ...about(name) })),
    ...guards
      .filter(({ name, hash }) => name in wanted && wanted[name] !== hash)
      .map(({ name }) => ({ code: 'GUARD_CHANGED', ...about(name) })),
    ...UNKNOWN.flatMap(({ kinds, code }) =>
      guards
        .filter(({ name }) => kinds.includes(name.split(' ')[0]) && !(name in wanted))
        .map(({ name }) => ({ code, ...about(name) }))
    ),
  ]
}

/** By the first word of their names: what changes or hides rows without having been asked for by the product. */
const UNKNOWN = [
  { kinds: ['trigger'], code: 'TRIGGER_UNKNOWN' },
  { kinds: ['default', 'rule', 'row', 'policy'], code: 'RULE_UNKNOWN' },
]

const about = (name: string) => ({ kind: 'table', id: 'postgresql', label: name }) as const
