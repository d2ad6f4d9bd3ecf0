import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { environmentFile, root } from '../dev/paths.ts'

/** `npm run ace -- <command>`: a command against what `npm run dev` is running, with the Node that the project brings. */
const running = existsSync(environmentFile)
  ? (JSON.parse(readFileSync(environmentFile, 'utf8')) as NodeJS.ProcessEnv)
  : {}
const command = spawn(process.execPath, ['ace', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...running, ...process.env },
  stdio: 'inherit',
})
command.on('exit', (code) => {
  process.exitCode = code ?? 1
})
