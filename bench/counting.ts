import { takeLowestPriority } from '../app/worker/lowest_priority.ts'

/** Counts at the lowest priority until it is killed: what any work at all costs others on this machine. */
takeLowestPriority()
for (let count = 0; ; count++) void count
