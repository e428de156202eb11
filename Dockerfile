# The playground, and zklock, in an image of their own. Each step is a target of the Makefile.

FROM node:20-bookworm AS page
WORKDIR /src
COPY Makefile ./
COPY .ci .ci
COPY static static
RUN make lib

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=page /src/static/lib static/lib
# -o: the libraries are as the stage above made them, whatever the files' times say.
RUN CGO_ENABLED=0 make build -o static/lib/page/index.html

FROM alpine:3.22
COPY --from=build /src/bin/playground /src/bin/zklock /usr/local/bin/
COPY LICENSE /usr/share/doc/playground/
RUN mkdir /data && chown nobody /data
USER nobody
EXPOSE 8080
ENTRYPOINT ["playground"]
CMD ["serve", "-addr", "0.0.0.0:8080"]
