import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { useConfig } from '../api/config.ts'
import { isSignedIn } from '../api/session.ts'
import { Notice } from '../design/surfaces.tsx'
import { withNext } from '../shell/next-path.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatClock } from '../text/format.ts'
import { FileNames } from './file-names.tsx'
import { readDuration } from './quote/read-duration.ts'
import { inputs } from './workspace/items.ts'

const texts = defineTexts({
  en: {
    too_long: (clock: string) => `Longer than allowed without an account (${clock}):`,
    sign_in: 'Sign in',
  },
  uk: {
    too_long: (clock: string) => `Тривалість більша, ніж дозволено без облікового запису (${clock}):`,
    sign_in: 'Увійти',
  },
  ru: {
    too_long: (clock: string) => `Длительность больше, чем разрешено без аккаунта (${clock}):`,
    sign_in: 'Войти',
  },
})

/**
 * Names the videos that a visitor cannot process, as soon as the browser has read their length. Accounts learn their
 * limit from the quote. Contract: Limits, Input length ceiling.
 */
export function LongVideos() {
  const t = texts()
  const { url } = useLocation()
  const { data: config } = useConfig()
  const videos = inputs.value.filter(({ kind }) => kind === 'video')
  const { data: seconds_by_id } = useQuery({
    queryKey: ['durations', videos.map(({ id }) => id)],
    queryFn: async () =>
      new Map(await Promise.all(videos.map(async (each) => [each.id, await readDuration(each)] as const))),
    enabled: !isSignedIn.value && videos.length > 0,
    placeholderData: keepPreviousData,
  })
  if (isSignedIn.value || config === undefined) return null
  const seconds_max = config.anonymous.input_max_minutes * 60
  const too_long = videos.filter(({ id }) => (seconds_by_id?.get(id) ?? 0) > seconds_max)
  if (too_long.length === 0) return null
  return (
    <Notice kind="bad" help={<a href={withNext('/sign-in', url)}>{t.sign_in}</a>}>
      {t.too_long(formatClock(seconds_max))} <FileNames names={too_long.map(({ name }) => name)} />
    </Notice>
  )
}
