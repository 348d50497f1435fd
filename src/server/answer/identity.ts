/** Says what it is, and what it can do. */
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';

/** The sentence that keeps anybody from taking this service for a model. */
export const selfDescription =
	'I am the reference service of `chat`: I answer by rule, always the same way, and I am no language model.';

const identityPattern =
	/\b(?:(?:who|what) (?:are|r) you\b(?! doing)|are you (?:a|an|the|real|human|chatgpt|gpt|claude)\b|(?:what|which) model (?:are you|is this|am i)|introduce yourself|what(?:'s| is) your name|who (?:made|built|wrote) you)/i;

const abilityPattern =
	/^(?:help|help me|what can (?:you|i) (?:do|ask|say)[^\n]{0,40}|how (?:do|does) (?:you|this) work)[?.! ]*$/i;

const abilities = [
	'repeat: “say hello”, “repeat after me: …”',
	'count: the lines, words and characters of what you attach; “count to 10”',
	'calculate: “what is 17 * 23?”, “15% of 80”',
	'remember: “my name is Ada”, then “what is my name?”; “what did I say first?”',
	'describe: the parameters, files and images that I received',
	'write: Markdown of every kind, code blocks, “500 words”, a list of 7 items, JSON',
	'call tools: those you give me, with arguments that fit their schemas',
] as const;

export function introduceItself({question, request}: Prompt): Answer | undefined {
	if (abilityPattern.test(question)) {
		const list = abilities.map((ability) => `- ${ability}`).join('\n');
		return {
			text: `${selfDescription} I can:\n\n${list}`,
			essence: 'rehearse',
			reasons: ['The prompt asks what I can do.'],
		};
	}
	if (!identityPattern.test(question)) return undefined;
	return {
		text: `${selfDescription} You asked for the model \`${request.model}\`, and I play its part: a rehearsal partner for clients, with real requests and real streams, but no thoughts of my own.`,
		essence: 'a rehearsal partner',
		reasons: ['The prompt asks what I am.'],
	};
}
