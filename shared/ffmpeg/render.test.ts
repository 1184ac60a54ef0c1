import { describe, expect, test } from 'vitest'
import type { MediaProbe } from '../planning/facts.ts'
import { sampleProbe } from '../planning/sample-facts.ts'
import type { FfmpegStep } from '../planning/steps.ts'
import { chain, type VideoEdit, videoEdit } from './edit.ts'
import { planVideoEdits, probeAfter } from './render.ts'

const probe = sampleProbe({}, { color_space: 'bt709' })

function planOf(before: MediaProbe, ...changes: [Partial<VideoEdit>, ...Partial<VideoEdit>[]]) {
  const [first, ...others] = changes
  const edits = others.map((change) => videoEdit(before, change))
  return planVideoEdits([videoEdit(before, first), ...edits], before, { stem: 'out' })
}

function stepOf(before: MediaProbe, ...changes: [Partial<VideoEdit>, ...Partial<VideoEdit>[]]): FfmpegStep {
  const step = planOf(before, ...changes).steps.findLast(({ kind }) => kind === 'ffmpeg')
  if (step?.kind !== 'ffmpeg') throw new Error('no step runs ffmpeg')
  return step
}

const options = (step: FfmpegStep) => step.output.options.join(' ')

describe('copying streams', () => {
  test('maps the video, all audio tracks, and supported subtitles', () => {
    const subtitles = [
      { index: 4, codec: 'mov_text' },
      { index: 5, codec: 'dvb_teletext' },
    ]
    const audio = [1, 2].map((index) => ({ index, codec: 'aac', channels: 2 }))
    const step = stepOf({ ...probe, audio, subtitles }, {})
    expect(step.filter_graph).toBeNull()
    expect(options(step)).toBe(
      '-map 0:0 -c:v copy -map 0:1 -map 0:2 -c:a copy -map 0:4 -c:s:0 copy -movflags +faststart -write_tmcd 0 -strict experimental',
    )
  })

  test('appends the options of the edit to those of the container', () => {
    expect(options(stepOf(probe, { options: ['-movflags', '+use_metadata_tags'] }))).toMatch(
      /-movflags \+faststart -write_tmcd 0 -strict experimental -movflags \+use_metadata_tags$/,
    )
  })

  test('keeps chapters unless timestamps change', () => {
    expect(options(stepOf(probe, {}))).not.toContain('-map_chapters')
    expect(options(stepOf(probe, { cut: { start: 0, seconds: 2 } }))).toContain('-map_chapters -1')
    const faster = { ...probe, duration_seconds: 5 }
    expect(options(stepOf(probe, { video: chain('setpts=PTS/2'), after: faster }))).toContain(
      '-map_chapters -1',
    )
  })
})

test('converts text subtitles for any container and drops bitmap subtitles', () => {
  const subtitles = [
    { index: 2, codec: 'hdmv_pgs_subtitle' },
    { index: 3, codec: 'subrip' },
  ]
  const into = { encoding: { container: 'mp4', only_where_needed: true } } as const
  expect(options(stepOf({ ...probe, subtitles }, into))).toContain('-c:a copy -map 0:3 -c:s:0 mov_text ')
})

test('names several encoded audio tracks, unless metadata is dropped', () => {
  const audio = [1, 2].map((index) => ({ index, codec: 'aac', channels: 2 }))
  const two = { ...probe, audio }
  const names = '-map_metadata:s:a:0 0:s:1 -map_metadata:s:a:1 0:s:2'
  expect(options(stepOf(two, { video: chain('hflip') }))).toContain(names)
  const bare = { options: ['-map_metadata', '-1'] }
  expect(options(stepOf(two, { video: chain('hflip') }, bare))).not.toContain(names)
})

describe('source metadata', () => {
  const date = '-metadata creation_time=2024-01-02T03:04:05Z'
  const tags = { creation_time: '2024-01-02T03:04:05Z', title: 'A walk', location: '+52.5+013.4/' }
  const keys = '-movflags +use_metadata_tags'

  test('is kept, including the date that ffmpeg would drop', () => {
    expect(options(stepOf({ ...probe, tags }, {}))).toMatch(new RegExp(`${date}$`))
    expect(options(stepOf({ ...probe, tags }, { video: chain('hflip') }))).toMatch(new RegExp(`${date}$`))
    expect(options(stepOf(probe, {}))).not.toContain('-metadata')
  })

  test('writes the camera make as a metadata key, because MP4 has no other field for it', () => {
    const written_tags = options(stepOf({ ...probe, tags: { ...tags, make: 'Canon' } }, {}))
    expect(written_tags).toContain('com.apple.quicktime.make=Canon')
    expect(written_tags).toContain('com.apple.quicktime.title=A walk')
    expect(written_tags).toContain(keys)
    const matroska = { encoding: { container: 'mkv' } } as const
    expect(options(stepOf({ ...probe, tags: { ...tags, make: 'Canon' } }, matroska))).not.toContain(keys)
  })

  test('is dropped if an edit writes its own metadata', () => {
    const bare = { options: ['-map_metadata', '-1'] }
    expect(options(stepOf({ ...probe, tags }, bare))).not.toContain('creation_time')
  })
})

describe('the filter graph', () => {
  test('chains the edits in order, from the source to the encoded size', () => {
    const step = stepOf(
      probe,
      { video: chain('hflip') },
      { video: chain('vflip', 'negate'), audio: chain('volume=2') },
    )
    expect(step.filter_graph?.split(';')).toEqual([
      '[0:0]scale=1920:1080:out_range=tv,setsar=1[v_1]',
      '[v_1]hflip[v_2]',
      '[v_2]vflip,negate[v_3]',
      '[v_3]scale=1920:1080:out_range=tv,setsar=1,format=yuv420p[video]',
      '[0:1]volume=2[audio1_1]',
      '[audio1_1]aresample=async=1:min_hard_comp=0.06:first_pts=0,apad=whole_len=64[audio1]',
    ])
  })

  test('downscales a large video first, unless an edit draws on it', () => {
    const large = sampleProbe({}, { width: 3840, height: 2160, color_space: 'bt709' })
    expect(stepOf(large, { video: chain('hflip') }).filter_graph).toMatch(/^\[0:0\]scale=3840:2160:/)
    expect(stepOf(large, { cut: { start: 0, seconds: 1 } }).filter_graph).toMatch(/^\[0:0\]scale=1920:1080:/)
  })

  test('cuts inside the filter graph after another edit', () => {
    const step = stepOf(probe, { video: chain('hflip') }, { cut: { start: 3, seconds: 2 } })
    expect(step.inputs[0]?.options).not.toContain('-ss')
    expect(step.filter_graph).toContain(
      `[v_2]settb=AVTB,setpts='PTS-if(ld(0),ld(1),if(lt(T,2.9615),3/TB,st(0,1)*st(1,if(lt(T,3.0015),PTS,3/TB))))',fps=fps=25:start_time=0,settb=AVTB,trim=end=1.98[v_3]`,
    )
  })

  test('gives each edit its own files, even if their names are equal', () => {
    const logo = {
      files: [{ file: 'logo', options: ['-loop', '1'] }],
      video: ({ input, output, file }) => `${input}${file('logo', 'v')}overlay${output}`,
    } satisfies Partial<VideoEdit>
    const step = stepOf(probe, logo, { video: chain('hflip') }, logo)
    expect(step.inputs.map(({ file }) => file)).toEqual(['source', 'logo', 'logo'])
    expect(step.filter_graph).toContain('[v_1][1:v]overlay[v_2]')
    expect(step.filter_graph).toContain('[v_3][2:v]overlay[v_4]')
  })

  test('never uses a pad name twice', () => {
    const twice = {
      video: ({ input, output, own }) =>
        `${input}split${own('a')}${own('b')};${own('a')}${own('b')}hstack${output}`,
    } satisfies Partial<VideoEdit>
    const graph = stepOf(probe, twice, twice).filter_graph ?? ''
    const pads = [...graph.matchAll(/\[(\w+_a)\]/g)].map(([, name]) => name)
    expect(new Set(pads).size).toBe(2)
  })

  test("audio added to a silent video starts from silence of the video's duration", () => {
    const silent = { ...probe, audio: [] }
    const add = { audio: chain('volume=2'), after: { ...probe, duration_seconds: 10 } }
    expect(stepOf(silent, add).filter_graph).toBe(
      'anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=10[silence];[silence]volume=2[audio_1];[audio_1]aresample=async=1:min_hard_comp=0.06:first_pts=0,apad=whole_len=64[audio]',
    )
    const step = stepOf(probe, { audio: chain('volume=9') }, { audio: 'none' }, add)
    expect(step.filter_graph).toMatch(/^anullsrc/)
    expect(step.filter_graph).not.toContain('volume=9')
    expect(options(step)).toContain('-map [audio] -c:a aac')
  })
})

test('writes a text file shared by two edits once', () => {
  const text = { texts: [{ file: 'title-1.ass', content: 'x' }], video: chain('ass=title-1.ass') }
  expect(planOf(probe, text, text).steps.map(({ kind }) => kind)).toEqual(['text', 'ffmpeg'])
})

test('keeps the timestamps of variable-rate frames', () => {
  const variable_rate = sampleProbe({}, { variable_frame_rate: true, frames_per_second: 29.7 })
  const bursts = sampleProbe({}, { variable_frame_rate: true, frames_per_second: 5 })
  expect(options(stepOf(variable_rate, { video: chain('hflip') }))).toContain(
    '-fps_mode vfr -enc_time_base:v 1:90000 -x264-params fps=30',
  )
  expect(options(stepOf(probe, { video: chain('hflip') }))).not.toContain('-fps_mode')
  const last =
    "-bsf:v setts=pts=PTS:dts=DTS:duration='if(eq(NEXT_PTS,NOPTS),max(DURATION,10/TB-PTS),DURATION)'"
  expect(options(stepOf(variable_rate, { video: chain('hflip') }))).toContain(last)
  expect(options(stepOf(bursts, { video: chain('hflip') }))).toContain(`-bf 0 ${last}`)
  expect(options(stepOf(variable_rate, { video: chain('hflip') }))).not.toContain('-bf 0')
  // Without an index, the duration is an estimate.
  const stream = options(stepOf({ ...bursts, container: 'mpegts' }, { video: chain('hflip') }))
  expect(stream).toContain('-bf 0')
  expect(stream).not.toContain('setts')
  const matroska = { video: chain('hflip'), encoding: { container: 'mkv' } } as const
  expect(options(stepOf(bursts, matroska))).toContain(`-enc_time_base:v 1:1000 -x264-params fps=10 ${last}`)
  expect(options(stepOf(probe, { video: chain('hflip') }))).not.toContain('-bf 0')
})

describe('facts of the output file', () => {
  const written = (before: MediaProbe, ...changes: Partial<VideoEdit>[]) =>
    probeAfter(
      changes.map((change) => videoEdit(before, change)),
      before,
    )

  test('after a copy', () => {
    const audio = [{ index: 3, codec: 'ac3', channels: 6 }]
    const before = sampleProbe({ audio }, { index: 2, rotation_degrees: 90 })
    expect(written(before, {})).toMatchObject({
      video: { index: 0, codec: 'h264', rotation_degrees: 90 },
      audio: [{ index: 1, codec: 'ac3', channels: 6 }],
    })
  })

  test('after an encode', () => {
    const audio = [{ index: 3, codec: 'ac3', channels: 6 }]
    const before = sampleProbe(
      { audio },
      { codec: 'hevc', color_transfer: 'smpte2084', width: 3840, height: 2160 },
    )
    expect(written(before, { video: chain('hflip') })).toMatchObject({
      container: 'mov,mp4,m4a,3gp,3g2,mj2',
      video: { codec: 'h264', width: 1920, height: 1080, pixel_format: 'yuv420p', color_transfer: 'bt709' },
      audio: [{ index: 1, codec: 'aac', channels: 2 }],
    })
    expect(written(before, { audio: 'none', encoding: { container: 'webm' } })).toMatchObject({
      container: 'matroska,webm',
      video: { codec: 'vp9' },
      audio: [],
    })
  })
})
