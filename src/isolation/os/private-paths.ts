/** In a user's home: keys, tokens, histories, browsers. Nobody reads them from a box; what is not there costs nothing. */
export const privateInHome: readonly string[] = [
  // Keys and passwords.
  '.ssh .gnupg .netrc .authinfo .pgpass .my.cnf .mylogin.cnf .password-store .age .vault-token .config/sops .config/age',
  '.local/share/keyrings .local/share/kwalletd .config/1Password .config/op .config/Bitwarden .config/KeePassXC .config/rclone',
  'Library/Keychains Library/Cookies Library/Safari Library/Messages Library/Mail',
  // Git and its hosts.
  '.git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .subversion/auth',
  // Clouds.
  '.aws .azure .config/gcloud .kube .docker/config.json .docker/contexts .oci .boto .s3cfg .databrickscfg .fly',
  '.terraform.d/credentials.tfrc.json .terraformrc .config/doctl .config/hcloud .config/netlify .local/share/com.vercel.cli',
  // Packages.
  '.npmrc .yarnrc.yml .pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .m2/settings.xml',
  '.m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config .composer/auth.json .config/composer/auth.json',
  // What was typed.
  '.bash_history .zsh_history .sh_history .history .python_history .node_repl_history .psql_history .mysql_history',
  '.sqlite_history .rediscli_history .lesshst .viminfo .local/share/fish/fish_history',
  // Browsers and mail.
  '.mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi',
  'snap/firefox snap/chromium Library/Application%20Support/Google/Chrome Library/Application%20Support/Firefox',
].flatMap((line) => line.split(' ').map((path) => decodeURIComponent(path)))

/** Of the machine; most of them only root could read. */
export const privateOnMachine: readonly string[] = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/kubernetes',
  '/etc/rancher',
  '/var/lib/docker',
  '/var/lib/kubelet',
  '/run/secrets',
  '/var/run/secrets',
  // Sockets of programs that act for whoever asks them; the box cannot make such sockets anyway.
  '/run/user',
  '/run/dbus',
  '/run/docker.sock',
  '/run/containerd',
  '/run/podman',
]

/** In a project, if they are there, beside what steers agents: what an editor of the user's would run while a run is on. */
export const editorsInProject: readonly string[] = ['.vscode', '.idea', '.devcontainer', '.gitmodules']
