import { useMutation, useQuery } from '@tanstack/preact-query'
import type { Account, Notifications, NotificationsChange } from '../../client/src/index.ts'
import { rememberAccount, useAccount } from '../api/account.ts'
import { media, queries } from '../api/media.ts'
import { CheckField, SelectField } from '../design/field.tsx'
import { ErrorNotice, Notice, Skeleton } from '../design/surfaces.tsx'
import { showToast } from '../design/toasts.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { LANGUAGE_NAMES, LOCALES, type Locale } from '../text/locale.ts'
import { Panel } from './panel.tsx'

const texts = defineTexts({
  en: {
    title: 'Emails',
    lead: 'Emails about payments and the security of your account always arrive.',
    unconfirmed: 'These emails arrive once your address is confirmed.',
    jobs: 'Finished jobs',
    each: 'A few minutes after each job',
    daily: 'One summary a day',
    off: 'None',
    news: 'Product news',
    saved: 'Saved.',
    language: 'Language of emails',
  },
  uk: {
    title: 'Листи',
    lead: 'Листи про платежі й безпеку облікового запису надходять завжди.',
    unconfirmed: 'Ці листи надходитимуть, коли ви підтвердите адресу.',
    jobs: 'Завершені завдання',
    each: 'За кілька хвилин після кожного завдання',
    daily: 'Один підсумок на день',
    off: 'Не надсилати',
    news: 'Новини продукту',
    saved: 'Збережено.',
    language: 'Мова листів',
  },
  ru: {
    title: 'Письма',
    lead: 'Письма о платежах и безопасности аккаунта приходят всегда.',
    unconfirmed: 'Эти письма начнут приходить, когда вы подтвердите адрес.',
    jobs: 'Завершенные задания',
    each: 'Через несколько минут после каждого задания',
    daily: 'Одна сводка в день',
    off: 'Не присылать',
    news: 'Новости продукта',
    saved: 'Сохранено.',
    language: 'Язык писем',
  },
})

const KEY = ['notifications']

/** Which emails the account receives besides those about payments and security. */
export default function Emails() {
  const t = texts()
  const account = useAccount().data
  const settings = useQuery({ queryKey: KEY, queryFn: () => media.value.notifications.get() })
  const change = useMutation({
    mutationFn: (changed: NotificationsChange) => media.value.notifications.update(changed),
    onSuccess: (saved) => {
      queries.setQueryData(KEY, saved)
      showToast(t.saved)
    },
  })
  return (
    <Panel title={t.title} lead={t.lead}>
      {settings.isPending && <Skeleton height="9rem" />}
      {settings.error && <ErrorNotice error={settings.error} />}
      {change.error && <ErrorNotice error={change.error} />}
      {settings.data && <Choices settings={settings.data} onChange={change.mutate} />}
      {account && <Language account={account} />}
    </Panel>
  )
}

/** The language of emails. Choosing a language of the pages sets it too. */
function Language({ account }: { account: Account }) {
  const t = texts()
  const change = useMutation({
    mutationFn: (locale: Locale) => media.value.auth.updateAccount({ locale }),
    onSuccess: (saved) => {
      rememberAccount(saved)
      showToast(t.saved)
    },
  })
  return (
    <>
      {change.error && <ErrorNotice error={change.error} />}
      <SelectField
        label={t.language}
        options={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        value={account.locale}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value as Locale)}
      />
    </>
  )
}

interface ChoicesProps {
  settings: Notifications
  onChange: (changed: NotificationsChange) => void
}

function Choices({ settings, onChange }: ChoicesProps) {
  const t = texts()
  const { email_verified, job_notifications, product_news } = settings
  const options = (['daily', 'each', 'off'] as const).map((value) => ({ value, label: t[value] }))
  return (
    <>
      {!email_verified && <Notice>{t.unconfirmed}</Notice>}
      <SelectField
        label={t.jobs}
        options={options}
        value={job_notifications}
        onChange={({ currentTarget }) =>
          onChange({ job_notifications: currentTarget.value as Notifications['job_notifications'] })
        }
      />
      <CheckField
        label={t.news}
        checked={product_news}
        onChange={({ currentTarget }) => onChange({ product_news: currentTarget.checked })}
      />
    </>
  )
}
