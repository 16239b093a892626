import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'privileged-container': {
    denied: `
      docker run --privileged -it alpine sh
      docker run -it --privileged=true alpine
      docker run -v /:/host alpine
      docker run -v/:/host alpine
      docker run --rm -itv /:/host:ro alpine chroot /host
      docker run --volume=/etc:/e alpine
      docker run --mount type=bind,source=/,target=/host alpine
      docker run -v /var/run/docker.sock:/var/run/docker.sock x
      docker run -v ~/.ssh:/root/.ssh alpine
      docker run -v "$HOME":/h alpine
      docker run --pid=host alpine
      docker run --pid host alpine
      docker run --cap-add=SYS_ADMIN alpine
      docker run --cap-add ALL alpine
      docker run --security-opt seccomp=unconfined alpine
      docker run --device /dev/sda alpine
      docker exec --privileged web sh
      docker create --privileged alpine
      podman run --userns=host -v /home:/h alpine
      sudo docker run --privileged alpine
      docker compose run -v /:/host web`,
    allowed: `
      docker run --rm -it alpine sh
      docker run -d --name db -e POSTGRES_PASSWORD=x -p 5432:5432 postgres:16
      docker run -v "$PWD":/app -w /app node:20 npm test
      docker run -v $(pwd):/app node:20
      docker run -v ./data:/data alpine
      docker run -v data:/var/lib/postgresql/data postgres
      docker run -v ~/.m2:/root/.m2 maven mvn package
      docker run -v /etc/localtime:/etc/localtime:ro alpine
      docker run --network host alpine
      docker run --ipc=host pytorch/pytorch
      docker run --cap-drop ALL alpine
      docker run --cap-add NET_BIND_SERVICE alpine
      docker run alpine echo --privileged -v /:/host
      docker exec -it web sh
      docker run --mount type=bind,source=./src,target=/app alpine
      docker run --help`,
  },
  'host-namespace': {
    denied: `
      nsenter -t 1 -m -u -i -n sh
      nsenter --target 1 --all
      sudo nsenter -t 1 -a
      chroot /host sh
      chroot /proc/1/root
      cat /proc/1/root/etc/hostname
      curl --unix-socket /var/run/docker.sock http://x/containers/json
      kubectl debug node/n1 -it --image=busybox
      kubectl run x --image=alpine --overrides='{"spec":{"hostPID":true}}'
      ctr run --privileged docker.io/library/alpine:latest x`,
    allowed: `
      nsenter --help
      curl http://localhost:2375/version
      kubectl run x --image=alpine -- sleep 1
      kubectl debug web -it --image=busybox
      ls /var/run
      grep -r docker.sock .`,
  },
})
