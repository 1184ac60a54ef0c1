import { useMutation, useQuery } from '@tanstack/preact-query'
import { MediaError } from '../../client/src/index.ts'
import { AuthPage } from '../account/auth-page.tsx'
import { callService, queries } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice, Notice, Skeleton } from '../design/surfaces.tsx'
import { useLinkSecret } from '../shell/link-secret.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatDate, formatMoney } from '../text/format.ts'
import { describeRenewal, type LinkedRenewal } from './renewal.ts'

const texts = defineTexts({
  en: {
    title: 'Cancel renewal',
    renews: (plan: string, amount: string, date: string) =>
      `Your plan ${plan} renews on ${date}, for ${amount} before tax.`,
    past_due: (plan: string, amount: string, date: string) =>
      `The payment for your plan ${plan} did not go through. The charge of ${amount} before tax may be retried until ${date}.`,
    paused: (plan: string, amount: string) =>
      `The renewal of your plan ${plan} is paused. If it resumes, ${amount} is charged, before tax.`,
    ended: (plan: string, date: string) =>
      `Your plan ${plan} does not renew. It runs until ${date}, and nothing more is charged.`,
    unknown: 'This link is not valid. Check that you copied the whole URL.',
  },
  uk: {
    title: 'Скасувати поновлення',
    renews: (plan: string, amount: string, date: string) =>
      `Ваш тариф ${plan} поновиться ${date}, сума без податку: ${amount}.`,
    past_due: (plan: string, amount: string, date: string) =>
      `Платіж за тариф ${plan} не пройшов. Спробу списати ${amount} без податку можуть повторювати до такої дати: ${date}.`,
    paused: (plan: string, amount: string) =>
      `Поновлення тарифу ${plan} призупинено. Якщо воно відновиться, буде списано ${amount} без податку.`,
    ended: (plan: string, date: string) =>
      `Ваш тариф ${plan} не поновлюється. Він діє до такої дати: ${date}. Більше нічого не буде списано.`,
    unknown: 'Це посилання не працює. Перевірте, чи скопійовано всю адресу.',
  },
  ru: {
    title: 'Отменить продление',
    renews: (plan: string, amount: string, date: string) =>
      `Ваш тариф ${plan} продлится ${date}, сумма без налога: ${amount}.`,
    past_due: (plan: string, amount: string, date: string) =>
      `Платеж за тариф ${plan} не прошел. Попытку списать ${amount} без налога могут повторять до такой даты: ${date}.`,
    paused: (plan: string, amount: string) =>
      `Продление тарифа ${plan} приостановлено. Если оно возобновится, будет списано ${amount} без налога.`,
    ended: (plan: string, date: string) =>
      `Ваш тариф ${plan} не продлевается. Он действует до такой даты: ${date}. Больше ничего не будет списано.`,
    unknown: 'Эта ссылка не работает. Проверьте, скопирован ли весь адрес.',
  },
})

/** Cancels the renewal of a plan by an emailed link, without a sign-in. */
export default function CancelRenewal() {
  const t = texts()
  const { secret: token } = useLinkSecret()
  const path = `/api/v1/billing/renewals/${encodeURIComponent(token)}`
  const renewal = useQuery({
    queryKey: [path],
    queryFn: () => callService<LinkedRenewal>({ method: 'GET', path, isRepeatable: true }),
    enabled: token !== '',
  })
  const cancellation = useMutation({
    mutationFn: () =>
      callService<LinkedRenewal>({ method: 'POST', path: `${path}/cancel`, isRepeatable: true }),
    onSuccess: (canceled) => queries.setQueryData([path], canceled),
  })
  const isUnknown =
    token === '' || (renewal.error instanceof MediaError && [404, 422].includes(renewal.error.status))
  return (
    <AuthPage title={t.title}>
      {isUnknown && <Notice kind="bad">{t.unknown}</Notice>}
      {!isUnknown && renewal.error && <ErrorNotice error={renewal.error} />}
      {!isUnknown && renewal.isPending && <Skeleton height="4.5rem" />}
      {renewal.data && <p role="status">{tellRenewal(renewal.data)}</p>}
      {cancellation.error && <ErrorNotice error={cancellation.error} />}
      {renewal.data?.can_cancel && (
        <Button look="danger" isWide isBusy={cancellation.isPending} onClick={() => cancellation.mutate()}>
          {t.title}
        </Button>
      )}
    </AuthPage>
  )
}

function tellRenewal(renewal: LinkedRenewal): string {
  const t = texts()
  const { plan_name } = renewal
  const notice = describeRenewal(renewal)
  if (notice.kind === 'ended') return t.ended(plan_name, formatDate(notice.date))
  const amount = formatMoney(notice.cents, notice.currency)
  if (notice.kind === 'paused') return t.paused(plan_name, amount)
  return t[notice.kind](plan_name, amount, formatDate(notice.date))
}
