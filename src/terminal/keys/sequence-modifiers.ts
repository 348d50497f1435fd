/** The modifier field of an escape sequence: a set of bits plus one, then the kind of event. */
import {createKey, type KeyPress, type Modifiers} from './key-input.ts';

export type SequenceModifiers = Modifiers & {
	/** Super (the Windows or Command key) or Hyper; Meta in an old xterm. */
	readonly isSuper: boolean;
	readonly isCapsLock: boolean;
	readonly isRelease: boolean;
};

const bits = {shift: 1, alt: 2, ctrl: 4, super: 8, hyper: 16, meta: 32, capsLock: 64};

const releaseEvent = 3;

export function decodeModifiers(field: readonly number[] = []): SequenceModifiers {
	const [value = 1, event = 1] = field;
	const set = Math.max(value, 1) - 1;
	return {
		ctrl: (set & bits.ctrl) !== 0,
		alt: (set & (bits.alt | bits.meta)) !== 0,
		shift: (set & bits.shift) !== 0,
		isSuper: (set & (bits.super | bits.hyper)) !== 0,
		isCapsLock: (set & bits.capsLock) !== 0,
		isRelease: event === releaseEvent,
	};
}

/**
 * Returns the key with these modifiers added. Super counts as Alt: xterm and iTerm2 use the same
 * bit for Meta, the Alt key of their arrows.
 */
export function withModifiers(
	key: KeyPress | undefined,
	{ctrl, alt, shift, isSuper}: SequenceModifiers,
): KeyPress | undefined {
	if (key === undefined) return undefined;
	return createKey(key.name, {
		ctrl: key.ctrl || ctrl,
		alt: key.alt || alt || isSuper,
		shift: key.shift || shift,
	});
}
