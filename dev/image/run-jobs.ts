import { spawn } from 'node:child_process'
import { photo, video } from '../../media-backend/testing/clips.ts'
import { startTestContext } from '../../media-backend/testing/context.ts'
import { HEIC } from '../../media-backend/testing/heic-image.ts'
import { freePort, waitFor } from '../../media-backend/testing/wait.ts'

/**
 * Runs inside the image, in the folder of its program: starts the program with the command in the arguments, and runs
 * an image and a video with it. So the npm packages of the image are enough.
 */
const [program = '', ...args] = process.argv.slice(2)
const context = await startTestContext()
const port = await freePort()
const fleet = spawn(program, args, {
  env: { ...process.env, ...context.variables, ENVIRONMENT: 'local', PORT: String(port) },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor('the fleet to answer', isReady)
  const jobs = [
    context.dispatch(await photo(), { params: { width: 200 } }),
    // Needs a library and npm packages that no other job needs.
    context.dispatch(HEIC, { params: { width: 200 }, filename: 'photo.heic' }),
    context.dispatch(await video(2, '160x90'), {
      service_slug: 'video',
      operation_key: 'compress',
      params: { preset: 'medium' },
      filename: 'clip.mov',
    }),
  ]
  for (const job of jobs) {
    const { outcome } = await context.run(port, job)
    console.log(`${job.service_slug}/${job.operation_key}: ${outcome.status}`)
    if (outcome.status !== 'done') throw new Error(`The image failed at ${job.operation_key}.`)
  }
} finally {
  fleet.kill('SIGTERM')
  await context.close()
}
