import { statement } from '#shared/statement'
import { digestGateKey, newGateKey } from '#tickets/gate_key'

export interface SandboxGate {
  name: string
  key: string
}

const NAME = 'Sandbox gate'

const upsertDevice = statement<object, { name: string; keyDigest: string }>(
  'sandbox_gate',
  `INSERT INTO gate_devices (name, key_digest) VALUES (:name, :keyDigest)
   ON CONFLICT (name) DO UPDATE SET key_digest = EXCLUDED.key_digest, revoked_at = NULL`
)

/** A gate device on which partners test their QR codes; a key that the sandbox file has is kept. */
export async function seedGate(known: SandboxGate | undefined): Promise<SandboxGate> {
  const key = known?.key ?? newGateKey()
  await upsertDevice({ name: NAME, keyDigest: digestGateKey(key) })
  return { name: NAME, key }
}
