/** The words of hints in a session, which has commands where a command line has flags. */
import {type Hint, type HintOf, joinHints} from '../../hint.ts';
import {hasOwnOption} from '../../settings/options/request-fields.ts';
import {wordsOf} from './hint-words.ts';

export function sessionWordsOf(hint: Hint): string {
	if (typeof hint === 'string') return hint;
	if ('session' in hint) return hint.session;
	switch (hint.code) {
		case 'several':
			return joinHints(...hint.hints.map(sessionWordsOf));
		case 'choose-model':
			return 'Choose another model with /model.';
		case 'set-model':
			return `No model is set, so the default ${hint.defaultModel} was requested. Choose one with /model.`;
		case 'unsupported-part':
			return hint.part === 'document'
				? wordsOf(hint)
				: `The model may not support ${hint.part === 'audio' ? 'audio' : 'images'}. Choose another with /model.`;
		case 'choose-tools':
			return '/mcp chooses';
		case 'mention-json':
			return 'Mention JSON in the prompt or in the system message (/system).';
		case 'no-streaming':
			return 'Use /set stream false.';
		case 'refused-field':
			return leaveOut(hint);
		default:
			return wordsOf(hint);
	}
}

function leaveOut({field, source}: HintOf<'refused-field'>): string {
	const change = hasOwnOption(field) ? field : `${field.replaceAll('.', String.raw`\.`)}=null`;
	const place = source === undefined || source === '/set' ? '' : ` (set by ${source})`;
	const removal = `Leave out ${field}${place} with /set ${change}.`;
	return field === 'reasoning_effort'
		? `The model may not reason, or take another field, as in /set thinking.type=enabled. ${removal}`
		: removal;
}
