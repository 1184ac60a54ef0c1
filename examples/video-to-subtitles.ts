// Transcribes a video as subtitles: node examples/video-to-subtitles.ts talk.mp4
import { Media } from '../client/node/index.ts'

const [video = 'talk.mp4'] = process.argv.slice(2)
const media = new Media({
  apiUrl: process.env.MEDIA_API_URL ?? 'https://media.example.com',
  apiKey: process.env.MEDIA_API_KEY,
})

const result = await media.video.transcribe(
  video,
  { format: 'srt', language: 'en' },
  { onProgress: ({ phase, fraction }) => console.error(`${phase} ${Math.round(100 * fraction)} %`) },
)
await result.save(`${video}.srt`)
console.log(result.body.text)
