import type { ProcessLimits } from '../../runtime/process.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { CutMismatch } from './cut-mismatch.ts'

/** A packet: its display time, and a fingerprint of its bytes. */
export interface ListedPacket {
  dts: number
  pts: number
  fingerprint: string
  is_key: boolean
}

/** The packets of a track, and their units per second. */
export interface Listed {
  timescale: number
  packets: ListedPacket[]
}

/**
 * Lists the packets of a track in decoding order.
 * @param reading ffmpeg arguments up to the output.
 * @throws CutMismatch if ffmpeg fails or reports an error.
 */
export async function listPackets(
  reading: readonly string[],
  limits: ProcessLimits,
  { folder, source_url: url, signal }: Run,
): Promise<Listed> {
  const packets: ListedPacket[] = []
  let timescale = 0
  let changes = false
  const { code, stderr } = await runProcess(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-v', 'error', ...reading, '-c', 'copy', '-f', 'framecrc', '-'],
    {
      ...{ limits, folder, url, signal },
      onLine(line) {
        const [, unit] = /^#tb 0: 1\/(\d+)$/.exec(line) ?? []
        if (unit !== undefined) timescale = Number(unit)
        // A packet: `0, 101376, 102400, 512, 9764, 0x223af2ab`.
        const [, dts, pts, size, crc] = /^0, *(\S+), *(\S+), *\S+, *(\d+), (0x\w+)/.exec(line) ?? []
        if (crc === undefined) return
        // Side data replaces the decoder configuration midway, which the joined track has only once.
        changes ||= line.includes(', S=')
        const is_key = !line.includes(', F=')
        packets.push({ dts: Number(dts), pts: Number(pts), fingerprint: `${size} ${crc}`, is_key })
      },
    },
  )
  if (code !== 0 || stderr !== '') throw new CutMismatch(`packets cannot be listed: ${stderr.slice(-200)}`)
  if (changes) throw new CutMismatch('the decoder configuration changes midway')
  return { timescale, packets }
}
