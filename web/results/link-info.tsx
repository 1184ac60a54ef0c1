import { defineTexts } from '../text/define-texts.ts'
import { formatClock, formatDateTime, formatNumber, languageName } from '../text/format.ts'
import { Facts } from './facts.tsx'
import styles from './link-info.module.css'
import type { Fact } from './result-facts.ts'

const texts = defineTexts({
  en: {
    uploader: 'Uploaded by',
    channel: 'Channel',
    site: 'Site',
    duration: 'Duration',
    published: 'Published',
    language: 'Language',
    age_limit: 'Minimum age',
    availability: 'Visibility',
    public: 'Public',
    unlisted: 'Unlisted',
    private: 'Private',
    categories: 'Categories',
    tags: 'Tags',
    views: 'Views',
    likes: 'Likes',
    dislikes: 'Dislikes',
    comments: 'Comments',
    reposts: 'Reposts',
    channel_followers: 'Followers of the channel',
    views_per_day: 'Views per day',
    likes_per_1000_views: 'Likes per 1,000 views',
    engagement_percent: 'Engagement',
    description: 'Description',
    chapters: 'Chapters',
  },
  uk: {
    uploader: 'Автор',
    channel: 'Канал',
    site: 'Сайт',
    duration: 'Тривалість',
    published: 'Опубліковано',
    language: 'Мова',
    age_limit: 'Мінімальний вік',
    availability: 'Доступ',
    public: 'Для всіх',
    unlisted: 'За посиланням',
    private: 'Приватний',
    categories: 'Категорії',
    tags: 'Теги',
    views: 'Перегляди',
    likes: 'Уподобання',
    dislikes: 'Дизлайки',
    comments: 'Коментарі',
    reposts: 'Поширення',
    channel_followers: 'Підписники каналу',
    views_per_day: 'Переглядів на день',
    likes_per_1000_views: 'Уподобань на 1000 переглядів',
    engagement_percent: 'Залучення',
    description: 'Опис',
    chapters: 'Розділи',
  },
  ru: {
    uploader: 'Автор',
    channel: 'Канал',
    site: 'Сайт',
    duration: 'Длительность',
    published: 'Опубликовано',
    language: 'Язык',
    age_limit: 'Минимальный возраст',
    availability: 'Доступ',
    public: 'Для всех',
    unlisted: 'По ссылке',
    private: 'Закрытый',
    categories: 'Категории',
    tags: 'Теги',
    views: 'Просмотры',
    likes: 'Лайки',
    dislikes: 'Дизлайки',
    comments: 'Комментарии',
    reposts: 'Репосты',
    channel_followers: 'Подписчики канала',
    views_per_day: 'Просмотров в день',
    likes_per_1000_views: 'Лайков на 1000 просмотров',
    engagement_percent: 'Вовлеченность',
    description: 'Описание',
    chapters: 'Главы',
  },
})

type Values = Readonly<Record<string, unknown>>

/** What a site states about a video. Shows nothing that the site does not state. */
export function LinkInfo({ body }: { body: Values }) {
  const t = texts()
  const info = { ...(body.info as Values | undefined) }
  const chapters = (body.chapters ?? []) as { title: string | null; start_seconds: number }[]
  return (
    <div class={styles.info}>
      {typeof info.title === 'string' && <p class={styles.title}>{info.title}</p>}
      <Facts
        facts={[
          ...listInfo(info),
          ...listCounts({ ...(body.stats as object), ...(body.analytics as object) }),
        ]}
      />
      {typeof info.description === 'string' && info.description !== '' && (
        <details>
          <summary>{t.description}</summary>
          <p class={styles.description}>{info.description}</p>
        </details>
      )}
      {chapters.length > 0 && (
        <details>
          <summary>{t.chapters}</summary>
          <ol class={styles.chapters}>
            {chapters.map(({ title, start_seconds }) => (
              <li key={start_seconds}>
                <span class={styles.start}>{formatClock(start_seconds)}</span> {title}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function listInfo(info: Values): Fact[] {
  const t = texts()
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  const list = (value: unknown) => (Array.isArray(value) && value.length > 0 ? value.join(', ') : null)
  const number = (value: unknown, format: (value: number) => string) =>
    typeof value === 'number' ? format(value) : null
  const { availability } = info
  const visibility =
    availability === 'public' || availability === 'unlisted' || availability === 'private'
      ? t[availability]
      : null
  return present([
    [t.uploader, text(info.uploader)],
    [t.channel, info.channel === info.uploader ? null : text(info.channel)],
    [t.site, text(info.site)],
    [t.duration, number(info.duration_seconds, formatClock)],
    [t.published, text(info.published_at) && formatDateTime(String(info.published_at))],
    [t.language, text(info.language) && languageName(String(info.language))],
    [t.age_limit, info.age_limit === 0 ? null : number(info.age_limit, formatNumber)],
    [t.availability, visibility],
    [t.categories, list(info.categories)],
    [t.tags, list(info.tags)],
  ])
}

const COUNTS = [
  'views',
  'likes',
  'dislikes',
  'comments',
  'reposts',
  'channel_followers',
  'views_per_day',
  'likes_per_1000_views',
  'engagement_percent',
] as const

function listCounts(counts: Values): Fact[] {
  const t = texts()
  return present(
    COUNTS.map((name) => {
      const value = counts[name]
      const unit = name === 'engagement_percent' ? '%' : ''
      return [t[name], typeof value === 'number' ? formatNumber(value) + unit : null]
    }),
  )
}

function present(rows: readonly (readonly [string, string | null])[]): Fact[] {
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}
