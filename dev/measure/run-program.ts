import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const OUTPUT_BYTES_MAX = 1024 * 1024 * 1024

/** Runs ffmpeg or ffprobe. Returns stdout as bytes and stderr as text. */
export async function runProgram(
  program: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
): Promise<{ stdout: Buffer; stderr: string }> {
  const { stdout, stderr } = await execute(program, args, { encoding: 'buffer', maxBuffer: OUTPUT_BYTES_MAX })
  return { stdout, stderr: stderr.toString() }
}
