export const SEEDER = { kind: 'console', name: 'sandbox', requestId: null } as const
