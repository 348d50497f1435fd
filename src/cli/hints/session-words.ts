/** The words of hints in a session, which has commands where a command line has flags. */
import type {Hint, HintOf} from '../../hint.ts';
import {hasOwnOption} from '../../settings/options/request-fields.ts';
import {joinHints, wordsOf} from './hint-words.ts';

export function sessionWordsOf(hint: Hint): string {
	if (typeof hint === 'string') return hint;
	if ('session' in hint) return hint.session;
	switch (hint.code) {
		case 'several':
			return joinHints(hint.hints.map(sessionWordsOf));
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
		case 'send-as-part':
			return 'Attach it with /file.';
		case 'send-as-file':
			return 'Attach a text file with /file.';
		case 'send-whole':
			return `To attach the whole: /file ${hint.path}`;
		case 'narrow-files':
			return `Name a smaller folder, or a narrower pattern: /file ${hint.example}`;
		case 'widen-pattern':
			return hint.pattern.includes('**')
				? wordsOf(hint)
				: `To search the folders below too: /file ${hint.pattern.replace(/[^/]*$/, '**/$&')}`;
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
