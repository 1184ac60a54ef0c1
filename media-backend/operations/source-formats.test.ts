import { describe, expect, test } from 'vitest'
import { FAST, makeClip, tone, videoInput } from '../testing/clips.ts'
import { carryOut, frameLevels, inspect } from '../testing/operate.ts'

/** Tags both the frames and the file, because newer versions of ffmpeg use only the frame tags. */
const hdr = (transfer: string) => [
  ...['-vf', `format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`],
  ...['-c:v', 'libx265', '-x265-params', 'log-level=error'],
  ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
]

describe('source formats', () => {
  const sources: [name: string, args: string[], expected: Record<string, unknown>][] = [
    [
      'odd.mkv',
      [...videoInput(), ...tone(), '-vf', 'format=yuv444p,scale=161:91', '-c:v', 'ffv1'],
      { width: 162, height: 92 },
    ],
    ['silent.avi', [...videoInput(), '-c:v', 'mpeg4'], { width: 160, height: 90 }],
    [
      'tenbit.mp4',
      [...videoInput(), '-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=error'],
      {},
    ],
    [
      'hdr.mp4',
      [...videoInput(), ...hdr('smpte2084')],
      { color_transfer: 'bt709', color_space: 'bt709', color_primaries: 'bt709', color_range: 'tv' },
    ],
    [
      'full.mp4',
      [
        ...videoInput(),
        '-vf',
        'scale=out_range=pc,format=yuvj420p',
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
      ],
      { color_range: 'tv' },
    ],
    ['rgb.mkv', [...videoInput(), '-c:v', 'libx264rgb', '-preset', 'ultrafast'], { color_space: 'bt709' }],
    ['wide-pixels.mp4', [...videoInput(1, '80x90'), '-vf', 'setsar=2', ...FAST], { width: 160, height: 90 }],
    [
      'interlaced.ts',
      [...videoInput(), ...tone(), '-vf', 'interlace', '-c:v', 'mpeg2video', '-flags', '+ildct+ilme'],
      { field_order: 'progressive' },
    ],
    [
      'surround.mkv',
      [
        ...videoInput(),
        '-f',
        'lavfi',
        '-i',
        'anoisesrc=d=1:a=0.1,aformat=channel_layouts=5.1',
        ...FAST,
        '-c:a',
        'ac3',
      ],
      {},
    ],
    ['old.wmv', [...videoInput(), ...tone(), '-c:v', 'wmv2', '-c:a', 'wmav2'], {}],
    ['old.flv', [...videoInput(), '-f', 'lavfi', '-i', 'sine=d=1:sample_rate=44100', '-c:v', 'flv1'], {}],
    ['phone.3gp', [...videoInput(1, '176x144'), '-c:v', 'h263'], { width: 176, height: 144 }],
  ]
  test.each(sources)('%s becomes H.264 that all players support', async (name, args, expected) => {
    const clip = await makeClip(name, args)
    const { path, input } = await carryOut(clip, ['compress', { preset: 'ultrafast', crf: 28 }])
    const { streams, format } = await inspect(path)
    expect(streams[0]).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', ...expected })
    expect(JSON.stringify(streams[0]?.side_data_list ?? [])).not.toContain('rotation')
    expect(streams[0]?.sample_aspect_ratio ?? '1:1').toBe('1:1')
    expect(Math.abs(Number(format.duration) - input.duration_seconds)).toBeLessThan(0.15)
    for (const { start_time } of streams) expect(Number(start_time)).toBeLessThan(0.05)
    if (name === 'surround.mkv') expect(streams[1]).toMatchObject({ codec_type: 'audio', channels: 2 })
  })

  test.each([
    // 10-bit values: HLG reference white, HLG peak, and a gray of 50 nits in PQ.
    ['arib-std-b67', 721, 190, 215],
    ['arib-std-b67', 940, 228, 236],
    ['smpte2084', 450, 110, 140],
  ])('HDR in %s: the value %i has the expected brightness', async (transfer, code, least, most) => {
    const gray = `color=c=black:s=64x64:r=25:d=0.2,format=yuv420p10le,geq=lum=${code}:cb=512:cr=512`
    const clip = await makeClip(`gray-${code}.mp4`, ['-f', 'lavfi', '-i', gray, ...hdr(transfer)])
    const { path } = await carryOut(clip, ['flip'])
    const [frame] = await frameLevels(path)
    expect(frame?.level).toBeGreaterThan(least)
    expect(frame?.level).toBeLessThan(most)
  })
})
