import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { MediaError, type UploadLink, type UploadLinkState } from '../../client/src/index.ts'
import { media } from '../api/media.ts'
import { findFault } from './file-types.ts'
import { isLinkOpen, sendFile } from './send-file.ts'

/** Why a file was not sent: it does not fit the link, there were several, or the service refused it. */
export type Fault = { file: File } | { error: unknown } | 'several'

export type Step =
  | { step: 'choosing'; fault: Fault | null }
  | { step: 'chosen'; file: File; fault: Fault | null }
  | { step: 'sending'; file: File; fraction: number }
  | { step: 'stored'; wait: MediaError | null }
  | { step: 'arrived' }

/** Refusals of the file itself, after which another file can be sent. */
const FILE_REFUSALS = [400, 413, 415]
/** Refusals that mean that the link accepts no file any more. */
const LINK_REFUSALS = [404, 409, 410]

/** Opens an upload link, and sends one file through it. */
export function useSending(token: string) {
  const [step, setStep] = useState<Step>({ step: 'choosing', fault: null })
  const [closed, setClosed] = useState<unknown>(null)
  const sending = useRef(new AbortController())
  const opening = useOpenLink(token)
  const is_used = opening.error instanceof MediaError && opening.error.status === 409
  const has_arrived = step.step === 'arrived' || is_used

  useEffect(() => () => sending.current.abort(), [])

  const choose = (link: UploadLink, files: readonly File[]) => {
    const [file] = files
    if (file === undefined) return
    if (files.length > 1) setStep({ step: 'choosing', fault: 'several' })
    else if (findFault(link, file) !== null) setStep({ step: 'choosing', fault: { file } })
    else setStep({ step: 'chosen', file, fault: null })
  }

  const send = async (link: UploadLink, file: File) => {
    sending.current = new AbortController()
    const { signal } = sending.current
    setStep({ step: 'sending', file, fraction: 0 })
    try {
      await sendFile({
        ...{ token, link, file, signal },
        onProgress: (fraction) => setStep({ step: 'sending', file, fraction }),
        onStored: (wait) => setStep({ step: 'stored', wait }),
      })
      setStep({ step: 'arrived' })
    } catch (error) {
      if (signal.aborted) setStep({ step: 'chosen', file, fault: null })
      else await refuse(file, error)
    }
  }

  const refuse = async (file: File, error: unknown) => {
    const status = error instanceof MediaError ? error.status : 0
    if (status === 409) return setStep({ step: 'arrived' })
    if (LINK_REFUSALS.includes(status)) return setClosed(error)
    if (status === 400 && !(await isLinkOpen(token))) return setStep({ step: 'arrived' })
    const fault = { error }
    setStep(FILE_REFUSALS.includes(status) ? { step: 'choosing', fault } : { step: 'chosen', file, fault })
  }

  return {
    link: opening.data,
    closed: closed ?? (is_used ? null : opening.error),
    step: has_arrived ? ({ step: 'arrived' } as const) : step,
    choose,
    send,
    stop: () => sending.current.abort(),
    chooseAgain: () => setStep({ step: 'choosing', fault: null }),
  }
}

function useOpenLink(token: string) {
  return useQuery({
    queryKey: ['upload-link', token],
    queryFn: () => media.value.uploadLinks.get(token),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const [PAUSE_MS_MIN, PAUSE_MS_MAX] = [2000, 15_000]
const RUNNING: UploadLinkState['status'][] = ['pending', 'uploading', 'processing']

export const isRunning = ({ status }: UploadLinkState): boolean => RUNNING.includes(status)

/** Reads the state of a sent file until its job ends or the link is gone, less often with time. */
export function useFileState(token: string) {
  return useQuery({
    queryKey: ['upload-link-state', token],
    queryFn: () => media.value.uploadLinks.getStatus(token),
    refetchInterval: ({ state: { data, error, dataUpdateCount, errorUpdateCount } }) => {
      const has_ended = data !== undefined && !isRunning(data)
      const is_gone = error instanceof MediaError && LINK_REFUSALS.includes(error.status)
      if (has_ended || is_gone) return false
      return Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 1.3 ** (dataUpdateCount + errorUpdateCount))
    },
  })
}
