import { useCallback, useState } from 'preact/hooks'
import type { Job } from '../../client/src/index.ts'
import { Notice } from '../design/surfaces.tsx'
import { useTools } from '../studio/use-tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatPercent } from '../text/format.ts'
import { Facts } from './facts.tsx'
import { Gallery } from './gallery.tsx'
import { isForSize } from './is-for-size.ts'
import styles from './job-result.module.css'
import { LinkInfo } from './link-info.tsx'
import { kindOfContent } from './media-kind.ts'
import { Preview, type ResultMedia } from './preview.tsx'
import { ResultActions } from './result-actions.tsx'
import { type InputMeasures, listFacts, listNotes } from './result-facts.ts'
import { compareSizes } from './size-change.ts'
import { useSource } from './use-source.ts'

const texts = defineTexts({
  en: {
    smaller: (percent: string, bytes: string) => `${percent} smaller: ${bytes} saved`,
    larger: (percent: string, bytes: string) => `${percent} larger: ${bytes} more`,
    same: 'Same size as before',
    deleted: 'The files of this job were deleted.',
  },
  uk: {
    smaller: (percent: string, bytes: string) => `На ${percent} менше: заощаджено ${bytes}`,
    larger: (percent: string, bytes: string) => `На ${percent} більше: додалося ${bytes}`,
    same: 'Розмір не змінився',
    deleted: 'Файли цього завдання видалено.',
  },
  ru: {
    smaller: (percent: string, bytes: string) => `На ${percent} меньше: сэкономлено ${bytes}`,
    larger: (percent: string, bytes: string) => `На ${percent} больше: добавилось ${bytes}`,
    same: 'Размер не изменился',
    deleted: 'Файлы этого задания удалены.',
  },
})

type Result = NonNullable<Job['result']>

interface JobResultProps {
  job: Job
  /** The input, if this browser has it. */
  source?: File | null
  /** Receives the job after the user has changed it. */
  onJob?: (job: Job) => void
}

/** Result of a finished job: what changed, the files before and after, and what to do with them. */
export function JobResult({ job, source: file = null, onJob }: JobResultProps) {
  const [changed, setChanged] = useState<Job | null>(null)
  const { result } = changed ?? job
  if (result === null || Date.parse(result.expires_at) <= Date.now())
    return <Notice>{texts().deleted}</Notice>
  const onChange = (next: Job) => {
    setChanged(next)
    onJob?.(next)
  }
  return <Outcome job={job} result={result} file={file} onJob={onChange} />
}

interface OutcomeProps {
  job: Job
  result: Result
  file: File | null
  onJob: (job: Job) => void
}

function Outcome({ job, result, file, onJob }: OutcomeProps) {
  const source = useSource(job, file)
  const [measures, setMeasures] = useState<InputMeasures>({})
  const onMeasure = useCallback((next: InputMeasures) => setMeasures(next), [])
  const kind = kindOfContent(result.content_type)
  // The sizes of a video and of its transcript have nothing to do with each other.
  const size_bytes = source?.kind === kind ? (source.size_bytes ?? undefined) : undefined
  const input = { ...measures, size_bytes }
  const isLinkInfo = 'info' in result.body && kind === 'text'
  const { data: tools = [] } = useTools()
  return (
    <div class={styles.result}>
      {size_bytes !== undefined && isForSize(tools, job) && (
        <Headline before={size_bytes} after={result.size_bytes} />
      )}
      <Facts facts={listFacts(job, result, input)} />
      {listNotes(result).map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      {isLinkInfo && <LinkInfo body={{ ...result.body }} />}
      {result.files !== undefined && result.files.length > 1 && <Gallery files={result.files} />}
      {!isLinkInfo && (result.files ?? []).length < 2 && (
        <Preview
          media={mediaOf(result)}
          source={source}
          offset_seconds={offsetOf(job)}
          onMeasure={onMeasure}
        />
      )}
      <ResultActions job={job} result={result} onJob={onJob} />
    </div>
  )
}

/** Says how much smaller the file became. */
function Headline({ before, after }: { before: number; after: number }) {
  const t = texts()
  const { kind, bytes, fraction } = compareSizes(before, after)
  if (kind === 'same') return <p class={styles.headline}>{t.same}</p>
  return (
    <p class={kind === 'smaller' ? styles.gain : styles.headline}>
      {t[kind](formatPercent(fraction), formatBytes(bytes))}
    </p>
  )
}

function mediaOf({ url, filename, content_type, size_bytes, body }: Result): ResultMedia {
  const { width, height } = body as { width?: number; height?: number }
  return { url, filename, content_type, size_bytes, width: width ?? null, height: height ?? null }
}

/** Returns where in the input a result begins. A pipeline may have moved it. */
function offsetOf({ operation_key, params }: Job): number {
  const { start, pipeline } = params
  return operation_key === 'trim' && pipeline === undefined && typeof start === 'number' ? start : 0
}
