import { sourcesSharingIds } from '#defects/facts/sources_sharing_ids'
import { test } from '@japa/runner'

/** source → ids of its charges, those of confirms, orders that it lacks. */
const kindsOf = (counted: Record<string, [ids: number, ofConfirms: number, missing: number]>) =>
  Object.fromEntries(
    sourcesSharingIds(
      Object.entries(counted).map(([source, [ids, ofConfirms, missingOrders]]) => ({
        source,
        numbersItself: false,
        chargesWithId: ids,
        chargesWithIdOfConfirms: ofConfirms,
        missingOrders,
      }))
    )
  )

test.group('Sources that share payment ids with confirms', () => {
  test('cards have nine sales of ten and wallets the rest, a bank numbers payments itself', ({
    assert,
  }) => {
    const counted = { cards: [90, 90, 10], wallets: [11, 10, 89], bank: [90, 0, 10] } as const
    assert.deepEqual(kindsOf(counted as unknown as Parameters<typeof kindsOf>[0]), {
      cards: 'all',
      wallets: 'part',
    })
  })

  test('at least half of the ids are those of confirms, and a quarter of the sales is a part', ({
    assert,
  }) => {
    assert.deepEqual(kindsOf({ a: [10, 5, 3], b: [10, 4, 0], c: [9, 9, 3] }), {
      a: 'all',
      c: 'part',
    })
  })

  test('two orders of four may be lacking by mistake, three of four are not', ({ assert }) => {
    assert.deepEqual(kindsOf({ a: [2, 2, 2], b: [1, 1, 3] }), { a: 'all', b: 'part' })
  })

  test('without an id, or where a person has said that it numbers payments itself, nothing is known', ({
    assert,
  }) => {
    assert.deepEqual(kindsOf({ a: [0, 0, 9] }), {})
    const own = { source: 'a', numbersItself: true, chargesWithId: 9, chargesWithIdOfConfirms: 9 }
    assert.deepEqual([...sourcesSharingIds([{ ...own, missingOrders: 0 }])], [])
  })
})
