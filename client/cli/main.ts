import { runProgram } from './program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe, such as head, has closed it.
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exit(await runProgram(process.argv.slice(2)))
