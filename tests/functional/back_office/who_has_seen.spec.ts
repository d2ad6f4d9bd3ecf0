import { whoHasSeen } from '#back_office/events/who_has_seen'
import { anEvent, aPartner, grant } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('Who has seen the newest change of an event', () => {
  test('a partner is late five minutes after the change, or after its grant if that is newer', async ({
    assert,
  }) => {
    const [event, early, late] = [await anEvent(), await aPartner(), await aPartner()]
    await grant(early, event)
    await ownerRows(
      `UPDATE event_grants SET created_at = now() - interval '1 hour' WHERE event_id = ?`,
      event.id
    )
    await ownerRows(
      `INSERT INTO journal (at, name, actor_kind, actor, event_id)
       VALUES (now() - interval '10 minutes', 'event_edited', 'console', 'tests', ?)`,
      event.id
    )
    await grant(late, event)
    const { partners } = await whoHasSeen(event.id)
    assert.deepEqual(
      partners.map(({ code, isLate }) => [code, isLate]),
      [
        [early.code, true],
        [late.code, false],
      ]
    )
  })
})
