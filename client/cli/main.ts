import { runProgram } from './program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as head, has enough.
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exit(await runProgram(process.argv.slice(2)))
