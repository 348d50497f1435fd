# Template of a formula for a tap of your own. FILL_IN marks what a release decides; CONTRIBUTING.md
# says how.
class Chat < Formula
  desc "Chat with language models from the command-line"
  homepage "FILL_IN: homepage of package.json"
  url "https://registry.npmjs.org/chat-completions-cli/-/chat-completions-cli-FILL_IN.tgz"
  sha256 "FILL_IN: sha256sum of that file"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec/"bin/chat"

    packed = libexec/"lib/node_modules/chat-completions-cli/share"
    man1.install_symlink packed/"man/man1/chat.1"
    bash_completion.install_symlink packed/"bash-completion/completions/chat"
    zsh_completion.install_symlink packed/"zsh/site-functions/_chat"
    fish_completion.install_symlink packed/"fish/vendor_completions.d/chat.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/chat --version")
    assert_equal "hi\n", shell_output("#{bin}/chat 'say hi'")
  end
end
