import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { ClosedLink, FileState, StoredFile } from './outcome.tsx'
import { ChooseFile, ChosenFile, SendingFile } from './steps.tsx'
import { Task } from './task.tsx'
import { useSending } from './use-sending.ts'

const texts = defineTexts({
  en: {
    title: 'Send a file',
    truncated: 'Part of the URL is missing. Check that you copied the whole URL.',
  },
  uk: {
    title: 'Надіслати файл',
    truncated: 'Адреса неповна. Перевірте, чи скопійовано її повністю.',
  },
  ru: {
    title: 'Отправить файл',
    truncated: 'Адрес неполный. Проверьте, скопирован ли он целиком.',
  },
})

/** Page of an upload link. The secret is in the URL's fragment, which browsers do not send to servers. */
export default function Send() {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    const update = () => setToken(readToken)
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  if (token === '') return <ClosedLink error={null}>{texts().truncated}</ClosedLink>
  return <OpenLink key={token} token={token} />
}

const readToken = () => location.hash.slice(1)

function OpenLink({ token }: { token: string }) {
  const { link, closed, step, choose, send, stop, chooseAgain } = useSending(token)
  if (step.step === 'arrived') return <FileState token={token} />
  if (closed !== null) return <ClosedLink error={closed} />
  if (step.step === 'stored') return <StoredFile wait={step.wait} />
  return (
    <Page title={texts().title} isNarrow>
      {link === undefined ? (
        <Skeleton height="24rem" />
      ) : (
        <>
          <Task link={link} />
          {step.step === 'choosing' && (
            <ChooseFile link={link} fault={step.fault} onChoose={(files) => choose(link, files)} />
          )}
          {step.step === 'chosen' && (
            <ChosenFile
              {...step}
              link={link}
              onSend={() => void send(link, step.file)}
              onOther={chooseAgain}
            />
          )}
          {step.step === 'sending' && <SendingFile {...step} onStop={stop} />}
        </>
      )}
    </Page>
  )
}
