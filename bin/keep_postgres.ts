import { keepPostgres } from '../dev/kept_postgres.ts'
import { runProgram } from '../dev/run_program.ts'

/** Keeps a PostgreSQL between runs of selected tests; started by them. */
await runProgram(keepPostgres)
