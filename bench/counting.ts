import { takeLowestPriority } from '../app/worker/lowest_priority.ts'

/** Counts at the lowest priority until it is killed, to show the effect of any CPU work on other processes. */
takeLowestPriority()
for (let count = 0; ; count++) void count
