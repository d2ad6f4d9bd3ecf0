export const SEEDER = { kind: 'console', name: 'sandbox', requestId: null } as const
/** Approves what one person may not do alone. */
export const SECOND_SEEDER = { ...SEEDER, name: 'sandbox, second person' } as const
