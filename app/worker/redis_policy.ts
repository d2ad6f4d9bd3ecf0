import redis from '@adonisjs/redis/services/main'

/** Calls `refuse` when Redis may evict keys: a full Redis would lose jobs silently. */
export function refuseEviction(refuse: (reason: string) => void) {
  const connection = redis.connection('queue').ioConnection
  const check = async () => {
    const memory = await connection.info('memory')
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
    if (policy !== undefined && policy !== 'noeviction')
      refuse(`Redis has maxmemory-policy ${policy}: set it to noeviction`)
  }
  const checkQuietly = () => void check().catch(() => {})
  if (connection.status === 'ready') checkQuietly()
  connection.on('ready', checkQuietly)
}
