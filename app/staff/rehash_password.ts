import { statement } from '#shared/statement'
import hash from '@adonisjs/core/services/hash'

/** Not where the password was changed meanwhile. That it was set then and ends no session stays: it is the same password. */
const storeHash = statement<object, { id: number; former: string; hashed: string }>(
  'staff_rehash_password',
  'UPDATE staff SET password = :hashed WHERE id = :id AND password = :former'
)

/** Hashes a password again that was hashed at another cost than config/hash.ts has today: only who signs in knows it. */
export async function rehashPassword(staff: { id: number; password: string }, password: string) {
  if (!hash.needsReHash(staff.password)) return
  await storeHash({ id: staff.id, former: staff.password, hashed: await hash.make(password) })
}
