import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChildLimits, type EndCause, type LimitSpec } from '../../../src/process/child-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(spec: LimitSpec): { limits: ChildLimits; causes: EndCause[] } {
  const causes: EndCause[] = []
  return { causes, limits: new ChildLimits(spec, (cause) => causes.push(cause)) }
}

describe('ChildLimits', () => {
  it('ends a child that runs too long, however much it prints', () => {
    const { limits, causes } = watch({ timeoutMs: 100, silenceMs: 60 })
    vi.advanceTimersByTime(50)
    limits.heard()
    vi.advanceTimersByTime(50)
    expect(causes).toEqual(['timeout'])
  })

  it('ends a child that prints nothing for too long', () => {
    const { limits, causes } = watch({ silenceMs: 60 })
    vi.advanceTimersByTime(50)
    limits.heard()
    vi.advanceTimersByTime(59)
    expect(causes).toEqual([])
    vi.advanceTimersByTime(1)
    expect(causes).toEqual(['silent'])
  })

  it('allows silence while a tool call is open, and counts anew afterwards', () => {
    const { limits, causes } = watch({ silenceMs: 60 })
    limits.expectSilence(true)
    vi.advanceTimersByTime(1000)
    limits.expectSilence(false)
    vi.advanceTimersByTime(59)
    expect(causes).toEqual([])
    vi.advanceTimersByTime(1)
    expect(causes).toEqual(['silent'])
  })

  it('does not take a busy consumer for a silent child', () => {
    const { limits, causes } = watch({ silenceMs: 60 })
    limits.consumerBusy(true)
    vi.advanceTimersByTime(1000)
    limits.consumerBusy(false)
    vi.advanceTimersByTime(59)
    expect(causes).toEqual([])
  })

  it('says nothing after it was stopped', () => {
    const controller = new AbortController()
    const { limits, causes } = watch({ silenceMs: 60, timeoutMs: 60, signal: controller.signal })
    limits.stop()
    limits.heard()
    controller.abort()
    vi.advanceTimersByTime(1000)
    expect(causes).toEqual([])
  })

  it('does not end at once for a limit longer than a timer can be', () => {
    const { limits, causes } = watch({ timeoutMs: 2 ** 40 })
    vi.advanceTimersByTime(1000)
    expect(causes).toEqual([])
    limits.stop()
  })
})
