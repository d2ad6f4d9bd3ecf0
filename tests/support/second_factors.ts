import SetSecondFactor from '#staff/actions/set_second_factor'
import { newTotpSecret } from '#staff/second_factor'
import { codeOf, STEP_MS } from '#tests/support/authenticator'
import { one } from '#tests/support/rows'
import { randomUUID } from 'node:crypto'

/** Sets an authenticator up for somebody. Its present code is used by that; `nextCode` is the first one that still counts. */
export async function setSecondFactor({ email, password }: { email: string; password: string }) {
  const { id } = (await one('SELECT id FROM staff WHERE email = ?', email)) as { id: number }
  const secret = newTotpSecret()
  const actor = { kind: 'staff', name: email, requestId: null } as const
  const proof = { code: codeOf(secret), currentPassword: password }
  const sessionId = randomUUID()
  const codes = await new SetSecondFactor().handle({ id, secret, ...proof, sessionId, actor })
  return { id, secret, codes, actor, nextCode: () => codeOf(secret, Date.now() + STEP_MS) }
}
