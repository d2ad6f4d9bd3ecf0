import type { Actor } from '#shared/actor'
import { record, type JournalSubjects } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { Role } from '#staff/role'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** For this long after a change of an account, its author may still be able to use it. */
export const INDEPENDENT_AFTER_DAYS = 7

/** Why two accounts don't count as two people: one person may be able to use both, until a date. */
export interface Link {
  by: string
  until: Date
}

export interface Colleague {
  email: string
  name: string
  role: Role
  /** Null for a colleague who counts as a second person. */
  linkBy: string | null
  linkUntil: Date | null
}

/*
 * Four-eyes principle: the accounts that a person may be able to use are found by following recent changes of accounts.
 * Anna asks; who may approve?
 *
 *   Anna created Bolat on the 20th          Bolat: Anna is behind him             linked until the 27th
 *   Bolat reset Vera's password on the 21st Vera: Bolat and, through him, Anna    linked until the 27th
 *   Gulnar created Anna on the 22nd         Gulnar is behind Anna                 linked until the 29th
 *   Gulnar unlocked Dias on the 23rd        Gulnar is behind Anna and Dias        linked until the 29th
 *   Yerlan's account was not changed                                              may approve
 *
 * A chain is as old as its oldest change. The link lasts as long as the last chain of changes that makes it.
 */
const selectColleagues = statement<
  Colleague,
  { askedBy: string; approver: string | null; independentAfterDays: number }
>(
  'staff_second_people',
  `WITH RECURSIVE recent AS (
     SELECT staff_id, changed_by, at FROM staff_account_changes
      WHERE at > clock_timestamp() - make_interval(days => :independentAfterDays)),
   behind (account, person, since) AS (
     SELECT id, id, 'infinity'::timestamptz FROM staff
      WHERE :approver::text IS NULL OR lower(email) IN (lower(:askedBy), lower(:approver))
     UNION
     SELECT b.account, c.changed_by, least(b.since, c.at) FROM behind b JOIN recent c ON c.staff_id = b.person),
   asker AS (
     SELECT b.person, b.since FROM behind b JOIN staff s ON s.id = b.account WHERE lower(s.email) = lower(:askedBy))
   SELECT s.email, s.full_name AS name, s.role, link.by AS "linkBy", link.until AS "linkUntil"
     FROM staff s
     LEFT JOIN LATERAL (
       SELECT p.email AS by, least(b.since, asker.since) + make_interval(days => :independentAfterDays) AS until
         FROM behind b JOIN asker ON asker.person = b.person JOIN staff p ON p.id = b.person
        WHERE b.account = s.id ORDER BY until DESC, p.id LIMIT 1) link ON true
    WHERE s.disabled_at IS NULL AND lower(s.email) <> lower(:askedBy)
      AND (:approver::text IS NULL OR lower(s.email) = lower(:approver))
    ORDER BY s.full_name, s.id`
)

/** Everybody but the asker, and whether they count as a second person. */
export const listColleagues = (askedBy: string) =>
  selectColleagues({ askedBy, approver: null, independentAfterDays: INDEPENDENT_AFTER_DAYS })

/** The link that keeps the approver from counting as a second person; null when there is none. */
async function findLink(
  askedBy: string,
  approver: string,
  trx: TransactionClientContract
): Promise<Link | null> {
  const found = await selectColleagues.first(
    { askedBy, approver, independentAfterDays: INDEPENDENT_AFTER_DAYS },
    trx
  )
  return found?.linkBy ? { by: found.linkBy, until: found.linkUntil! } : null
}

/**
 * For every approval that needs two people. Refuses the asker. Records the attempt of an approver who doesn't count and
 * returns the link: the caller commits the record and then refuses (`refuseLinked`).
 */
export async function checkSecondPerson(
  { askedBy, actor, ...subjects }: { askedBy: string; actor: Actor } & JournalSubjects,
  trx: TransactionClientContract
): Promise<Link | null> {
  if (askedBy === actor.name) refuse('OWN_REQUEST')
  if (actor.kind !== 'staff') return null
  const link = await findLink(askedBy, actor.name, trx)
  if (!link) return null
  const change = { asked_by: askedBy, linked_by: link.by, linked_until: link.until.toISOString() }
  await record('approval_refused', change, { ...subjects, actor }, trx)
  return link
}

export const refuseLinked = ({ by, until }: Link) =>
  refuse('NOT_INDEPENDENT', { linked_by: by, linked_until: until.toISOString() })
